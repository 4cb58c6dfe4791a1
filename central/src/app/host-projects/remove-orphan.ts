/** Removes orphans from their hosts, as an operator decides. */

import type { HostReference } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { saveDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { findProject } from "../../store/tables/projects/project.ts";
import { transact } from "../../store/store.ts";
import { chooseHosts } from "../hosts/choose-hosts.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { recordAudit } from "../operators/audit.ts";
import { findHeld, referenceOf, type HeldLink, type WantedOrphan } from "./held-projects.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { heldNowhere, refusal } from "./orphan-refusals.ts";

/** Removes an orphan. A named host may be disconnected: it carries the removal out when it is back. */
export async function removeOrphan(
  app: HostProjectsContext,
  link: HeldLink,
  operator: OperatorActor,
  input: WantedOrphan,
  signal: AbortSignal,
): Promise<{ hosts: HostReference[] }> {
  const { projectId } = input;
  const isNamed = input.host !== undefined;
  const hosts = isNamed
    ? (await chooseHosts(app, input.host)).map(referenceOf)
    : (await findHeld(app, link, input, signal)).map(({ host }) => host);
  const removed = await app.projectQueues.run(projectId, () =>
    transact(app.db, async (tx) => {
      const placed = (await findProject(tx, projectId))?.hostId;
      const orphaned = hosts.filter(({ id }) => id !== placed);
      const isHeldBack = placed !== undefined && app.heldBack.find(placed, projectId) !== undefined;
      if (orphaned.length === 0)
        throw hosts.length === 0
          ? heldNowhere()
          : refusal(isHeldBack ? refusalDetails.heldBackHere : refusalDetails.noOrphan);
      for (const { id } of orphaned) {
        await saveDeparture(tx, { hostId: id, projectId, reason: "deleted", createdAt: app.clock.now() });
        tx.onCommit(() => app.heldBack.release(id, projectId));
        await wantedChanged(tx, id, [projectId]);
      }
      await recordAudit(app, tx, operator, {
        subject: { kind: "project", id: projectId, name: null },
        after: { removedFrom: orphaned.map(({ name }) => name) },
      });
      return orphaned;
    }),
  );
  app.logger.warn({ projectId, hosts: removed.map(({ id }) => id) }, "an orphan is removed");
  return { hosts: removed };
}
