/**
 * Forgets a project's variables when the key to them is lost for good: an operator does it, and the owner
 * sets them anew.
 */

import { AppError, type ProjectReference } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact } from "../../store/store.ts";
import { findProject, raiseProjectRevision, updateProject } from "../../store/tables/projects/project.ts";
import { deleteVariables, findVariables } from "../../store/tables/projects/variable.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Actor } from "../identity/caller.ts";
import { isRestartRequired } from "../runs/config-tag.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { openVariables } from "./variable.ts";

/**
 * Forgets the variables, unless they open: then their owner can change them, and nothing is lost by a
 * mistaken id. The host may be disconnected, and the project be in preparation: an install may be waiting for
 * just these variables.
 */
export async function forgetVariables(
  app: ProjectsContext,
  operator: Actor,
  projectId: string,
): Promise<{ project: ProjectReference; isRestartRequired: boolean }> {
  return app.projectQueues.run(projectId, async () => {
    const row = await transact(app.db, async (tx) => {
      const stored = await findVariables(tx, projectId);
      const before = await findProject(tx, projectId);
      if (before === undefined) throw new AppError("not_found");
      if (stored === undefined) throw new AppError("not_found", { detail: refusalDetails.noVariables });
      if (openVariables(app, projectId, stored.sealed) !== null)
        throw new AppError("invalid_request", { detail: refusalDetails.variablesOpen });
      await deleteVariables(tx, projectId);
      await updateProject(tx, projectId, {}, app.clock.now());
      // Where the host has a newer state that waits for its take-over, central's must not become the newer
      // one.
      if (!app.heldBack.has(before.hostId, projectId)) await raiseProjectRevision(tx, projectId);
      await wantedChanged(tx, before.hostId, [projectId]);
      await recordActivity(app, tx, {
        accountId: before.accountId,
        actor: operator,
        action: "project.variables",
        project: before,
        after: { note: "unreadable_variables_forgotten" },
      });
      return { ...before, variablesRevision: null };
    });
    app.logger.warn(
      { projectId, accountId: row.accountId },
      "variables that could not be opened were forgotten",
    );
    return { project: { id: row.id, name: row.name }, isRestartRequired: isRestartRequired(row) };
  });
}
