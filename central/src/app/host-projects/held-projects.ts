/** Asks hosts what they hold of projects, for an operator who decides about orphans. */

import {
  AppError,
  type Assignment,
  type HeldProject,
  type HostReference,
  type OrphanAdoption,
} from "@tijolo/protocol";
import { chooseHosts } from "../hosts/choose-hosts.ts";
import type { HostLink } from "../hosts/host-link.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";

export type HeldLink = Pick<HostLink, "ask">;

/** The project that an operator names, and the host, where it matters which one. */
export type WantedOrphan = Pick<OrphanAdoption, "host"> & { projectId: string };

/** Returns what the wanted host holds of the project, or each host that holds some of it and answers. */
export async function findHeld(
  app: HostProjectsContext,
  link: HeldLink,
  input: WantedOrphan,
  signal: AbortSignal,
): Promise<{ host: HostReference; held: HeldProject }[]> {
  const hosts = await chooseHosts(app, input.host);
  const answers = await Promise.all(
    hosts.map(async (host) => {
      const held = await askHeld(link, host.id, input.projectId, signal);
      return (held ?? []).map((project) => ({ host: referenceOf(host), held: project }));
    }),
  );
  return answers.flat();
}

/** Asks the host for one project, or for all that it holds; null: it does not answer. */
export async function askHeld(
  link: HeldLink,
  hostId: string,
  projectId: string | null,
  signal: AbortSignal,
): Promise<HeldProject[] | null> {
  const held: HeldProject[] = [];
  try {
    for await (const items of link.ask(hostId, { kind: "held-projects", projectId }, signal)) {
      const projects = items.map(({ project }) => project);
      held.push(...projects.filter((project) => projectId === null || project.projectId === projectId));
    }
    signal.throwIfAborted();
    return held;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return null;
    throw error;
  }
}

export function hasArchive({ objects }: HostProjectsContext, { archive }: Assignment): Promise<boolean> {
  return objects.has(archive.sha256);
}

export function referenceOf({ id, name }: HostReference): HostReference {
  return { id, name };
}
