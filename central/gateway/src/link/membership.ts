/** Opens what makes this machine a gateway of its cluster: its key, and its id once it has joined. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  joinCluster,
  loadIdentity,
  readLinkTls,
  type Identity,
  type LinkTls,
} from "@tijolo/protocol/kit/link";
import { id } from "@tijolo/protocol";
import type { GatewayConfig } from "../config.ts";
import { replaceFile } from "../files/replace-file.ts";

export interface Membership {
  gatewayId: string;
  identity: Identity;
  /** How central on another machine is known; undefined for one on this machine. */
  tls: LinkTls | undefined;
}

/** Joins on the first start, which needs central. Throws with a sentence for the operator. */
export async function openMembership({
  dataDirectory,
  centralUrl,
  centralAuthorityFile,
  joinTokenFile,
  name,
}: GatewayConfig): Promise<Membership> {
  const identity = await loadIdentity(join(dataDirectory, "identity.pem"));
  const tls = await readLinkTls(centralAuthorityFile);
  const idFile = join(dataDirectory, "gateway-id");
  const known = (await readFile(idFile, "utf8").catch(() => "")).trim();
  if (id.safeParse(known).success) return { gatewayId: known, identity, tls };
  const advice = "Run `tijolo cluster gateway add` and start the gateway with the token it prints";
  if (joinTokenFile === null) throw new Error(`This machine is no gateway of a cluster yet. ${advice}.`);
  const token = await readFile(joinTokenFile, "utf8").catch((cause: unknown) => {
    throw new Error(`This machine is no gateway of a cluster yet. ${advice}, in ${joinTokenFile}.`, {
      cause,
    });
  });
  const { hostId } = await joinCluster({
    centralUrl,
    tls,
    kind: "gateway",
    token: token.trim(),
    name,
    identity,
  });
  await replaceFile(idFile, `${hostId}\n`);
  return { gatewayId: hostId, identity, tls };
}
