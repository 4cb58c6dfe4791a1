/** Which projects the list shows, as its address says it. Pure. */

import type { LiveProject } from "@tijolo/protocol/live";

export interface ProjectSearch {
  q?: string;
  status?: string;
}

/** Keeps what is understood of an address, which anybody may have typed. */
export function readProjectSearch(search: Record<string, unknown>): ProjectSearch {
  const { q, status } = search;
  return {
    ...(typeof q === "string" && q !== "" ? { q: q.slice(0, 100) } : {}),
    ...(typeof status === "string" && status !== "" ? { status: status.slice(0, 20) } : {}),
  };
}

/** The projects that match, by name; those that need somebody's eye come first. */
export function matchingProjects(
  projects: Iterable<LiveProject>,
  { q = "", status }: ProjectSearch,
): LiveProject[] {
  const words = plain(q).split(/\s+/).filter(Boolean);
  return [...projects]
    .filter(({ project }) => status === undefined || project.status === status)
    .filter(({ project }) => {
      const text = plain(
        `${project.name} ${project.description} ${project.subdomain ?? ""} ${project.language}`,
      );
      return words.every((word) => text.includes(word));
    })
    .sort(
      (one, other) => urgency(one) - urgency(other) || byName.compare(one.project.name, other.project.name),
    );
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function urgency({ project: { status } }: LiveProject): number {
  return status === "error" || status === "crash_loop" ? 0 : 1;
}

/** Without case and accents, so that "cafe" finds "Café". */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
