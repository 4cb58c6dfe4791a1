/** Has visits written to the logs of their sites, on the host that runs them. */

import { AppError, type AccessLines } from "@tijolo/protocol";
import { findProject } from "../../store/tables/projects/project.ts";
import type { HostLink } from "../hosts/host-link.ts";
import type { ProjectsContext } from "../projects/projects-context.ts";

export async function findHostOfSite(
  { db }: Pick<ProjectsContext, "db">,
  projectId: string,
): Promise<string | undefined> {
  return (await findProject(db, projectId))?.hostId;
}

/** Resolves once they are written. Throws `server_unavailable` when that is not certain. */
export async function sendAccessLines(
  link: Pick<HostLink, "ask">,
  hostId: string,
  lines: AccessLines,
): Promise<void> {
  const { signal } = new AbortController();
  for await (const items of link.ask(hostId, { kind: "append-access", ...lines }, signal))
    if (items.length > 0) return;
  throw new AppError("server_unavailable");
}
