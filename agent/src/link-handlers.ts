/** Connects the link to the parts of the agent: what the host tells central, and what it answers. */

import type { MeshUpdate } from "@tijolo/protocol";
import { readMachineName } from "@tijolo/protocol/kit";
import { hostAnswers } from "./answers/host-answers.ts";
import { describeHost } from "./host/checks/describe-host.ts";
import type { MachineImages } from "./images/machine-images.ts";
import type { LinkHandlers } from "./link/link-options.ts";
import type { AccessLogs } from "./logs/access-logs.ts";
import type { Mesh } from "./mesh/mesh.ts";
import type { WorkerContext } from "./project/worker-context.ts";
import type { Reconciler } from "./reconcile/reconciler.ts";
import { HostImages } from "./reports/host-images.ts";
import { describeHeld, takeInventory } from "./reports/inventory.ts";
import type { ReplacedFiles } from "./versions/merge/replaced-files.ts";

/** Returns the handlers of the link. `warning` begins the operating system that the host reports. */
export function linkHandlers(
  { ledger, disks, logs, runtime, dataDirectory }: WorkerContext,
  images: MachineImages,
  {
    reconciler,
    replacedFiles,
    accessLogs,
    mesh,
    warning,
  }: {
    reconciler: Reconciler;
    replacedFiles: ReplacedFiles;
    accessLogs: AccessLogs;
    mesh: Mesh | undefined;
    warning: string;
  },
): LinkHandlers {
  /** True once central has sent the desired state over this connection: before, what it lacks is not known. */
  let isCompared = false;
  const held = { ledger, disks, reconciler, dataDirectory, isCompared: () => isCompared };
  return {
    async describe() {
      isCompared = false;
      const machine = await readMachineName();
      return {
        ...(await describeHost({ dataDirectory, warning })),
        ...(machine === undefined ? {} : { machine }),
      };
    },
    onDesired() {
      isCompared = true;
      reconciler.takeDesired();
    },
    tellStates: () => reconciler.tellStates(),
    inventory: () => takeInventory(held),
    held: (projectIds, signal) => describeHeld(held, projectIds, signal),
    ...(mesh === undefined
      ? {}
      : {
          mesh: {
            own: () => mesh.own,
            take: (update: MeshUpdate) => mesh.take(update),
            news: () => mesh.news,
            onNews: (listener: () => void) => mesh.onNews(listener),
          },
        }),
    answers: hostAnswers({
      ...held,
      logs,
      accessLogs,
      replacedFiles,
      images: new HostImages({ images, ledger }),
      runtime,
    }),
  };
}
