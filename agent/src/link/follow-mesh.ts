/** Makes this host a member of the mesh for as long as a control connection lives. */

import { meshUpdate } from "@tijolo/protocol";
import type { ControlSession } from "./control-session.ts";
import { maxReasonLength } from "./link-options.ts";

/** Subscribes; a central without a mesh, and what cannot be read, leave the rest of the link as it is. */
export function followMesh({ connection, options }: ControlSession): void {
  const { handlers, logger } = options;
  if (handlers.mesh === undefined) return;
  const { mesh } = handlers;
  const refused = (reason: string) =>
    logger.warn({ reason: reason.slice(0, maxReasonLength) }, "link: central tells nothing of the mesh");
  connection.client.mesh.subscribe(mesh.own(), {
    onData(received: unknown) {
      const read = meshUpdate.safeParse(received);
      if (read.success) mesh.take(read.data);
      else refused(read.error.message);
    },
    onError: (error) => {
      if (!connection.ended.aborted) refused(error.message);
    },
  });
}
