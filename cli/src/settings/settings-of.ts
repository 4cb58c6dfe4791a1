/** Returns a project's settings in the form of `svc.json`. */

import type { Project, ProjectConfig } from "@tijolo/protocol";

/**
 * Returns what an upload with this `svc.json` would set; fields that the project's kind does not have are
 * left out.
 */
export function settingsOf(project: Project): ProjectConfig {
  const {
    name,
    description,
    type,
    language,
    version,
    entry,
    command,
    installCommand,
    root,
    spa,
    systemPackages,
    memoryMb,
  } = project;
  const { subdomain, port } = project;
  const program =
    language === "static"
      ? {
          root: root ?? "",
          ...(installCommand === null ? {} : { installCommand }),
          ...(spa === undefined ? {} : { spa }),
        }
      : { ...(entry === null ? {} : { entry }), command, installCommand, systemPackages };
  const site =
    type === "site"
      ? { ...(subdomain === null ? {} : { subdomain }), ...(port === null ? {} : { port }) }
      : {};
  return {
    name,
    description,
    type,
    language,
    ...(version === "" ? {} : { version }),
    ...program,
    memoryMb,
    ...site,
  };
}
