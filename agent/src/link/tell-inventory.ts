/**
 * Tells central what this host holds, before it asks what is wanted: a central that was set back learns from
 * it what it does not know.
 */

import type { HeldProject } from "@tijolo/protocol";
import { callCentral } from "./call.ts";
import type { ControlSession } from "./control-session.ts";

/** A frame is closed when it has grown to this. */
const frameBytes = 1024 * 1024;

export async function tellInventory({
  connection,
  options,
  bounds,
}: Pick<ControlSession, "connection" | "options" | "bounds">): Promise<void> {
  const { handlers, logger } = options;
  const projects = await handlers.inventory();
  const { tell } = await callCentral(connection, bounds.callMs, (signal) =>
    connection.client.inventory.mutate({ projects }, { signal }),
  );
  if (tell.length === 0) return;
  logger.warn(
    { projects: tell },
    "link: central does not know these projects as this host does, and is told",
  );
  const send = (held: HeldProject[]) =>
    callCentral(connection, bounds.callMs, (signal) =>
      connection.client.tellHeld.mutate({ projects: held }, { signal }),
    );
  let waiting: HeldProject[] = [];
  let waitingBytes = 0;
  for await (const batch of handlers.held(tell, connection.ended)) {
    for (const project of batch) {
      waiting.push(project);
      waitingBytes += JSON.stringify(project).length;
      if (waitingBytes < frameBytes) continue;
      await send(waiting);
      waiting = [];
      waitingBytes = 0;
    }
  }
  if (waiting.length > 0) await send(waiting);
}
