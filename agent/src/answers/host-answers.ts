/** Names the handler of each request of central; a request without a handler does not compile. */

import type { HostItem } from "@tijolo/protocol";
import type { HostAnswers } from "../link/link-options.ts";
import type { HostImages } from "../reports/host-images.ts";
import { describeHardware } from "../reports/host-hardware.ts";
import { describeState, type HostStateSources } from "../reports/host-state.ts";
import { describeHeld, type InventorySources } from "../reports/inventory.ts";
import { listImages, pruneImages, pullImages } from "./answer-images.ts";
import { answerLogs, type AnsweredLogs } from "./answer-logs.ts";
import { listReplaced, restoreReplaced, type ReplacedSources } from "./answer-replaced-files.ts";

export type AnswerParts = InventorySources &
  HostStateSources &
  ReplacedSources &
  AnsweredLogs & { images: HostImages };

export function hostAnswers(parts: AnswerParts): HostAnswers {
  const { accessLogs, images } = parts;
  return {
    logs: ({ projectId, query }, signal) => answerLogs(parts, projectId, query, signal),
    async *"append-access"(lines) {
      await accessLogs.append(lines);
      yield [{ kind: "access-appended" }];
    },
    "describe-host": (_, signal) => describeState(parts, signal),
    "describe-hardware": () => describeHardware(),
    "held-projects": ({ projectId }, signal) => heldItems(parts, projectId, signal),
    "list-replaced-files": ({ projectId }) => listReplaced(parts, projectId),
    "restore-replaced-files": (input) => restoreReplaced(parts, input),
    "list-images": () => listImages(images),
    "pull-images": (input, signal) => pullImages(images, input, signal),
    "prune-images": (_, signal) => pruneImages(images, signal),
  };
}

async function* heldItems(
  parts: InventorySources,
  projectId: string | null,
  signal: AbortSignal,
): AsyncGenerator<HostItem<"held-projects">[], void, undefined> {
  for await (const batch of describeHeld(parts, projectId === null ? null : [projectId], signal)) {
    yield batch.map((project) => ({ kind: "held-project", project }));
  }
}
