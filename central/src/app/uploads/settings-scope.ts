/**
 * Decides whether an upload of new code may change settings: only for a caller who may change them by PATCH,
 * so that a key for deploys cannot give a project more memory, or another subdomain, by its `svc.json`.
 */

import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { ProjectChange, ProjectRow } from "../../store/tables/project.ts";
import { changesBetween } from "../accounts/activity.ts";
import type { Caller } from "../identity/caller.ts";
import { settingsForActivity } from "../projects/project.ts";

const scope = "projects:settings";

/** True when the caller may change a project's settings by PATCH. */
export function mayChangeSettings(caller: Caller | null): boolean {
  return caller?.kind === "session" || (caller?.kind === "key" && caller.key.scopes.includes(scope));
}

/**
 * Throws `insufficient_scope`, naming the fields, when the upload would change a setting and its caller may
 * not. What is so already is no change.
 */
export function assertMayChange(isAllowed: boolean, row: ProjectRow, change: ProjectChange): void {
  if (isAllowed) return;
  const changed = changesBetween(settingsForActivity(row), settingsForActivity({ ...row, ...change }));
  if (changed === null) return;
  throw new AppError("insufficient_scope", {
    extra: { requiredScope: scope },
    detail: refusalDetails.uploadChangesSettings(Object.keys(changed.after).join(", ")),
  });
}
