/**
 * Reports to central what this host holds, before it asks for the desired state: a central that was set back
 * learns from it what it does not know.
 */

import { heldOutline, type HeldOutline, type HeldProject } from "@tijolo/protocol";
import { callCentral, MisunderstoodError } from "@tijolo/protocol/kit/link";
import type { ControlSession } from "./control-session.ts";
import { maxReasonLength } from "./link-options.ts";

/** Bytes at which a frame is closed; it is also closed at a number of projects. */
const frameBytes = 1024 * 1024;
const frameProjects = 500;

type Session = Pick<ControlSession, "connection" | "options" | "bounds">;

/**
 * Reports the inventory. A project that central cannot read is left out and logged: it holds up neither the
 * others nor the session.
 */
export async function tellInventory(session: Session): Promise<void> {
  const { handlers, logger } = session.options;
  const { tell } = await tellOutlines(session, await handlers.inventory());
  if (tell.length === 0) return;
  logger.warn(
    { projects: tell },
    "link: central does not know these projects as this host does, and is told",
  );
  let leftOut = 0;
  let waiting: HeldProject[] = [];
  let waitingBytes = 0;
  for await (const batch of handlers.held(tell, session.connection.ended)) {
    for (const project of batch) {
      waiting.push(project);
      waitingBytes += JSON.stringify(project).length;
      if (waitingBytes < frameBytes && waiting.length < frameProjects) continue;
      leftOut += await tellHeld(session, waiting);
      waiting = [];
      waitingBytes = 0;
    }
  }
  if (waiting.length > 0) leftOut += await tellHeld(session, waiting);
  if (leftOut > 0)
    logger.error({ leftOut, asked: tell.length }, "link: central was not told all that it asked for");
}

/**
 * Sends the outlines in one call, because central takes a project that is not among them for gone. So the
 * outline of a project that is not readable is sent without its desired state, and, if central still cannot
 * read it, those of all projects are.
 */
async function tellOutlines(
  { connection, options, bounds }: Session,
  outlines: HeldOutline[],
): Promise<{ tell: string[] }> {
  const { logger } = options;
  const unread = outlines.filter((outline) => !isReadable(outline)).map(({ projectId }) => projectId);
  const shortened = outlines.map((outline) => (isReadable(outline) ? outline : withoutWanted(outline)));
  for (const projects of [
    outlines,
    shortened.filter(isReadable),
    outlines.map(withoutWanted).filter(isReadable),
  ]) {
    try {
      return await callCentral(connection, bounds.callMs, (signal) =>
        connection.client.inventory.mutate({ projects }, { signal }),
      );
    } catch (error) {
      if (!(error instanceof MisunderstoodError)) throw error;
      const fields = {
        unread: unread.slice(0, maxNamed),
        unreadCount: unread.length,
        reason: error.message.slice(0, maxReasonLength),
      };
      logger.error(fields, "link: central does not understand what this host holds, and is told less of it");
    }
  }
  logger.error(
    { projects: outlines.length },
    "link: central was not told what this host holds; the connection goes on without it",
  );
  return { tell: [] };
}

/** Most ids in one line of the log. */
const maxNamed = 100;

function isReadable(outline: HeldOutline): boolean {
  return heldOutline.safeParse(outline).success;
}

function withoutWanted(outline: HeldOutline): HeldOutline {
  return { ...outline, wanted: null };
}

/** Returns how many of the projects central could not read. It finds them by halving the list. */
async function tellHeld(session: Session, projects: HeldProject[]): Promise<number> {
  const { connection, options, bounds } = session;
  try {
    await callCentral(connection, bounds.callMs, (signal) =>
      connection.client.tellHeld.mutate({ projects }, { signal }),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof MisunderstoodError)) throw error;
    const half = Math.ceil(projects.length / 2);
    if (projects.length > 1)
      return (
        (await tellHeld(session, projects.slice(0, half))) + (await tellHeld(session, projects.slice(half)))
      );
    const fields = { projectId: projects[0]?.projectId, reason: error.message.slice(0, maxReasonLength) };
    options.logger.error(
      fields,
      "link: central does not understand what this host knows of a project; it is left out",
    );
    return 1;
  }
}
