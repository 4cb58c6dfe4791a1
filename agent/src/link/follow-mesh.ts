/** Makes this host a member of the mesh for as long as a control connection lives. */

import { meshUpdate, type MeshNews } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import { callCentral, MisunderstoodError } from "@tijolo/protocol/kit/link";
import type { ControlSession } from "./control-session.ts";
import { maxReasonLength, type MeshHandlers } from "./link-options.ts";

/** Subscribes; a central without a mesh, and what cannot be read, leave the rest of the link as it is. */
export function followMesh(session: ControlSession): void {
  const { connection, options } = session;
  const { mesh } = options.handlers;
  if (mesh === undefined) return;
  const own = mesh.own();
  let pumping: Promise<void> | undefined;
  const refused = (reason: string) =>
    options.logger.warn(
      { reason: reason.slice(0, maxReasonLength) },
      "link: central tells nothing of the mesh",
    );
  connection.client.mesh.subscribe(own, {
    onData(received: unknown) {
      const read = meshUpdate.safeParse(received);
      if (!read.success) return refused(read.error.message);
      // A central that is older than `tellMesh` leaves this field out.
      if (read.data.mayUse !== undefined)
        pumping ??= pumpNews(session, mesh, JSON.stringify({ own, letIn: [] }));
      mesh.take(read.data);
    },
    onError: (error) => {
      if (!connection.ended.aborted) refused(error.message);
    },
  });
}

/** Tells central each change of this host's end until the connection ends; `told` is what it knows. */
async function pumpNews(session: ControlSession, mesh: MeshHandlers, told: string): Promise<void> {
  const { ended } = session.connection;
  const wake = new Latch();
  const unsubscribe = mesh.onNews(() => wake.set());
  let known = told;
  while (!ended.aborted) {
    const news = mesh.news();
    const text = JSON.stringify(news);
    const isTold = text === known || (await tellNews(session, news));
    if (isTold) known = text;
    await wake.wait({ signal: ended, timeoutMs: isTold ? null : session.bounds.tellAgainMs });
  }
  unsubscribe();
}

/** Returns false when central is to be told again. */
async function tellNews({ connection, options, bounds }: ControlSession, news: MeshNews): Promise<boolean> {
  try {
    await callCentral(connection, bounds.callMs, (signal) =>
      connection.client.tellMesh.mutate(news, { signal }),
    );
    return true;
  } catch (error) {
    const reason = (error as Error).message.slice(0, maxReasonLength);
    if (!connection.ended.aborted)
      options.logger.warn({ reason }, "link: central has not taken a change of this host's end of the mesh");
    return error instanceof MisunderstoodError;
  }
}
