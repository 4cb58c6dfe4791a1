/** Manages gateways: joining, listing, removing. */

import { AppError, type GatewaySummary, type JoinRequest } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import {
  findGatewayOfKey,
  insertGateway,
  listGateways as selectGateways,
  revokeGateway,
  type GatewayRow,
} from "../../store/tables/gateways/gateway.ts";
import { hasJoinToken, insertJoinToken, useJoinToken } from "../../store/tables/hosts/host.ts";
import { transact } from "../../store/store.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { hashSecret, isSecret, makeSecret } from "../identity/secret.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { newId } from "../new-id.ts";
import { recordAudit } from "../operators/audit.ts";
import { writePrivateFile } from "../secrets/private-file.ts";
import type { GatewaysContext } from "./gateways-context.ts";

const joinTokenLifetimeMs = 15 * 60 * 1000;

/** Cuts the connection of a gateway that was removed. */
export interface GatewayLink {
  disconnectGateway(gatewayId: string): void;
}

/** Creates a single-use token with which a machine becomes a gateway. */
export async function createGatewayToken(
  app: GatewaysContext,
  operator: OperatorActor,
): Promise<{ token: string; expiresAt: string }> {
  const token = makeSecret("tjg_", app.random);
  const now = app.clock.now();
  const expiresAt = now + joinTokenLifetimeMs;
  const until = new Date(expiresAt).toISOString();
  await transact(app.db, async (tx) => {
    await insertJoinToken(tx, { hash: hashSecret(token), expiresAt, createdAt: now });
    const subject = { kind: "gateway", id: null, name: null } as const;
    await recordAudit(app, tx, operator, { subject, after: { expiresAt: until } });
  });
  return { token, expiresAt: until };
}

/** Leaves a token in a file for whoever started central, who may do anything here. */
export async function writeGatewayToken(app: GatewaysContext, file: string): Promise<void> {
  const token = makeSecret("tjg_", app.random);
  const now = app.clock.now();
  const expiresAt = now + joinTokenLifetimeMs;
  await transact(app.db, (tx) => insertJoinToken(tx, { hash: hashSecret(token), expiresAt, createdAt: now }));
  await writePrivateFile(file, `${token}\n`);
}

/**
 * Joins a gateway. Token and gateway are written in one transaction: of 50 joins with one token, one
 * succeeds. A key that is known joins as the gateway it is.
 */
export async function joinGateway(app: GatewaysContext, request: JoinRequest): Promise<{ hostId: string }> {
  const tokenHash = hashSecret(request.token);
  if (!isSecret("tjg_", request.token) || !(await hasJoinToken(app.db, tokenHash, app.clock.now())))
    throw wrongToken();
  const newGatewayId = newId(app);
  const id = await transact(app.db, async (tx) => {
    if ((await useJoinToken(tx, tokenHash, app.clock.now())) === undefined) throw wrongToken();
    const known = await findGatewayOfKey(tx, request.publicKey);
    if (known !== undefined && known.revokedAt === null) return known.id;
    if (known !== undefined) throw new AppError("not_found", { detail: refusalDetails.hostRevoked });
    const { name, publicKey } = request;
    await insertGateway(tx, { id: newGatewayId, name, publicKey, createdAt: app.clock.now() });
    return newGatewayId;
  });
  app.gatewayKeys.admit(id);
  app.logger.info({ gatewayId: id, name: request.name }, "gateway joined");
  return { hostId: id };
}

function wrongToken(): AppError {
  return new AppError("not_authenticated", { detail: refusalDetails.badJoinToken });
}

export async function listGateways(app: GatewaysContext): Promise<GatewaySummary[]> {
  return (await selectGateways(app.db)).map((gateway) => viewGateway(app, gateway));
}

function viewGateway(app: GatewaysContext, gateway: GatewayRow): GatewaySummary {
  return {
    id: gateway.id,
    name: gateway.name,
    state: app.connectedGateways.has(gateway.id)
      ? "connected"
      : gateway.lastSeenAt === null
        ? "never_connected"
        : "unknown",
    version: gateway.build,
    lastSeenAt: isoOrNull(gateway.lastSeenAt),
    createdAt: new Date(gateway.createdAt).toISOString(),
  };
}

/** Takes away a gateway's right to connect, and cuts its connection. Throws `not_found`. */
export async function removeGateway(
  app: GatewaysContext,
  link: GatewayLink,
  operator: OperatorActor,
  wanted: string,
): Promise<void> {
  const all = await selectGateways(app.db);
  const gateway =
    all.find(({ id }) => id === wanted.toUpperCase()) ??
    all.find(({ name }) => name === wanted.toLowerCase());
  if (gateway === undefined) throw new AppError("not_found");
  const { id, name } = gateway;
  await transact(app.db, async (tx) => {
    if (!(await revokeGateway(tx, id, app.clock.now()))) throw new AppError("not_found");
    await recordAudit(app, tx, operator, { subject: { kind: "gateway", id, name } });
  });
  app.gatewayKeys.refuse(id);
  link.disconnectGateway(id);
}
