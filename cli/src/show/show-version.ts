/** Shows a version of a project on a terminal. */

import type { Version } from "@tijolo/protocol";
import type { Messages } from "../messages.ts";

/** Returns how the version was made, in words. */
export function originOf(
  { trigger, rolledBackFrom }: Pick<Version, "trigger" | "rolledBackFrom">,
  { project }: Messages,
): string {
  return rolledBackFrom === null ? project.versionTriggers[trigger] : project.rolledBackFrom(rolledBackFrom);
}
