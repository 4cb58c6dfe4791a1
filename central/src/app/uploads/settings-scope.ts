/**
 * Decides whether an upload of new code may change settings: only for a caller who may change them by PATCH,
 * so that a key for deploys cannot give a project more memory, or another subdomain, by its `svc.json`.
 */

import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { ProjectChange, ProjectRow } from "../../store/tables/projects/project.ts";
import { changesBetween } from "../accounts/activity.ts";
import { settingsForActivity } from "../projects/project.ts";

/** Scope of a PATCH of settings. */
export const settingsScope = "projects:settings";

/**
 * Throws `insufficient_scope`, naming the fields, when the upload would change a setting and its caller may
 * not. What is so already is no change.
 */
export function assertMayChange(isAllowed: boolean, row: ProjectRow, change: ProjectChange): void {
  if (isAllowed) return;
  const changed = changesBetween(settingsForActivity(row), settingsForActivity({ ...row, ...change }));
  if (changed === null) return;
  throw new AppError("insufficient_scope", {
    extra: { requiredScope: settingsScope },
    detail: refusalDetails.uploadChangesSettings(Object.keys(changed.after).join(", ")),
  });
}
