/** Holds the warnings of the `process` runtime, so that nobody takes it for a host. */

import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";

/** Warning for the operator, at every start of the agent. */
export const isolationWarning =
  "NO ISOLATION: projects run as processes of this very user (TIJOLO_RUNTIME=process). They can read and change all that it can, without limits of memory, CPU or disk. For development only: run nobody else's code.";

/** Warning before the operating system, where operators see what a host is. */
export const hostPrefix = "NO ISOLATION (process runtime), ";

/** Returns notices for the project's owner, shown at each install. */
export function installNotices({
  language,
  systemPackages,
}: Pick<ProjectSettings, "language" | "systemPackages">): OwnerMessage[] {
  const notices: OwnerMessage[] = [{ code: "no_isolation" }];
  if (language !== "static") notices.push({ code: "language_of_machine", language });
  if (systemPackages.length > 0)
    notices.push({ code: "system_packages_of_machine", packages: systemPackages });
  return notices;
}
