/**
 * Makes this machine a host or a gateway of a cluster, with the single-use token of `tijolo cluster host add`
 * or `tijolo cluster gateway add`.
 */

import type { Joined } from "../../src/link/link-messages.ts";
import { callCentral, GoneError, RefusedError } from "./call.ts";
import { checkCentralUrl, defaultConnectionBounds, openConnection } from "./connection.ts";
import type { LinkTls } from "./central-authority.ts";
import type { Identity } from "./identity.ts";

export interface JoinOptions {
  centralUrl: string;
  tls?: LinkTls | undefined;
  /** Default: a host. */
  kind?: "host" | "gateway";
  token: string;
  /** The machine's name, as operators see it. */
  name: string;
  identity: Identity;
  /** The id of a host that joins anew. */
  formerHostId?: string;
  timeoutMs?: number;
}

/**
 * Joins the cluster; `hostId` is the id of what the machine has become. Throws with a sentence for the
 * operator when central cannot be reached or does not accept the token.
 */
export async function joinCluster({
  centralUrl,
  tls,
  kind = "host",
  token,
  name,
  identity,
  formerHostId,
  timeoutMs = 15_000,
}: JoinOptions): Promise<Joined> {
  checkCentralUrl(centralUrl);
  const connection = openConnection(centralUrl, defaultConnectionBounds, tls);
  const request = {
    token,
    name,
    publicKey: identity.publicKey,
    ...(kind === "host" ? {} : { kind }),
    ...(formerHostId === undefined ? {} : { formerHostId }),
  };
  try {
    return await callCentral(connection, timeoutMs, (signal) =>
      connection.client.join.mutate(request, { signal }),
    );
  } catch (cause) {
    if (cause instanceof RefusedError) {
      throw new Error(
        `Central did not accept the token: it is wrong, was used, or is older than 15 minutes. Make another with \`tijolo cluster ${kind} add\`.`,
        { cause },
      );
    }
    if (cause instanceof GoneError) {
      throw new Error(
        `The ${kind} of this machine's key, identity.pem in the data directory, was revoked: it does not join again. To make the machine a new ${kind}, start ${kind === "host" ? "the agent" : "the gateway"} with an empty TIJOLO_DATA_DIRECTORY and another token of \`tijolo cluster ${kind} add\`.`,
        { cause },
      );
    }
    throw new Error(
      `Joining ${centralUrl} failed: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  } finally {
    connection.end("joined");
  }
}
