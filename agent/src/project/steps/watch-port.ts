/** Has the port of a running site watched, until it listens. */

import type { ProjectHandle } from "../project-handle.ts";

/** Begins to watch the project's run, which may have lasted a while; one that has come up is not watched. */
export function watchPort({ projectId, assignment, record, instance, context }: ProjectHandle): void {
  if (assignment === undefined || instance === undefined || instance.exit !== null) return;
  if (record.observed.hasComeUp) return;
  const { language } = assignment.settings;
  const { port } = record.startedWith ?? assignment.settings;
  const ageMs = Math.max(0, context.clock.now() - instance.startedAt.getTime());
  context.portWatch.watch(projectId, instance.runNumber, { language, port }, ageMs);
}
