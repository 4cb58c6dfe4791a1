/** Manages hosts: joining, listing, revoking, and choosing one for a new project. */

import { AppError, type HostSummary, type Joined, type JoinRequest } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import {
  findHost,
  findHostOfKey,
  findHostWithLoad,
  hasJoinToken,
  insertHost,
  insertJoinToken,
  isHostNameTaken,
  listHosts as selectHosts,
  revokeHost as markRevoked,
  saveMemoryCap,
  useJoinToken,
  type HostRow,
  type HostWithLoad,
} from "../../store/tables/hosts/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { HostsContext } from "./hosts-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import type { JudgedHost } from "../mesh/judge-hosts.ts";
import { giveRange } from "../mesh/mesh-range.ts";
import { newId } from "../new-id.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { recordAudit } from "../operators/audit.ts";
import { chooseOneHost } from "./choose-hosts.ts";
import type { HostLink } from "./host-link.ts";
import { hashSecret, isSecret, makeSecret } from "../identity/secret.ts";

const joinTokenLifetimeMs = 15 * 60 * 1000;

/** Memory in MiB that a host reserves for itself: it is not promised to projects. */
export const hostReserveMb = 512;

/**
 * Creates a join token. `memoryMb` is the most that is counted of the host that joins with it, whatever it
 * reports.
 */
export async function createJoinToken(
  app: HostsContext,
  operator: OperatorActor,
  memoryMb: number | undefined,
): Promise<{ token: string; expiresAt: string }> {
  const token = makeSecret("tjj_", app.random);
  const now = app.clock.now();
  const expiresAt = now + joinTokenLifetimeMs;
  const memoryCapMb = memoryMb ?? null;
  const until = new Date(expiresAt).toISOString();
  await transact(app.db, async (tx) => {
    await insertJoinToken(tx, { hash: hashSecret(token), expiresAt, createdAt: now, memoryCapMb });
    const subject = { kind: "host", id: null, name: null } as const;
    await recordAudit(app, tx, operator, { subject, after: { expiresAt: until, memoryCapMb } });
  });
  return { token, expiresAt: until };
}

/**
 * Joins a host. Token and host are written in one transaction: of 50 joins with one token, one succeeds. A
 * key that is known joins as the host it is, whose ledger or this answer was lost: the hello proves that it
 * holds the key's secret, and the id of a host is no secret. Its projects get a range of addresses of their own.
 */
export async function joinHost(app: HostsContext, request: JoinRequest): Promise<Joined> {
  const tokenHash = hashSecret(request.token);
  // A stranger's guess costs a read at most, no transaction.
  if (!isSecret("tjj_", request.token) || !(await hasJoinToken(app.db, tokenHash, app.clock.now())))
    throw wrongToken();
  const newHostId = newId(app);
  const joined = await transact(app.db, async (tx): Promise<Joined> => {
    const token = await useJoinToken(tx, tokenHash, app.clock.now());
    if (token === undefined) throw wrongToken();
    const known = await findHostOfKey(tx, request.publicKey);
    const { memoryCapMb } = token;
    if (known !== undefined && memoryCapMb !== null) await saveMemoryCap(tx, known.id, memoryCapMb);
    if (known !== undefined) return joinedAs(app, tx, { ...known, id: idOfKnown(known) });
    const name = (await isHostNameTaken(tx, request.name))
      ? `${request.name}-${newHostId.slice(-4).toLowerCase()}`
      : request.name;
    const id = await idFor(tx, request, newHostId);
    await insertHost(tx, { id, name, publicKey: request.publicKey, createdAt: app.clock.now(), memoryCapMb });
    return joinedAs(app, tx, { id, meshRange: null });
  });
  app.logger.info({ hostId: joined.hostId, name: request.name }, "host joined");
  return joined;
}

async function joinedAs(
  app: HostsContext,
  tx: Transaction,
  host: Pick<HostRow, "id" | "meshRange">,
): Promise<Joined> {
  const meshRange = await giveRange(app, tx, host);
  return { hostId: host.id, ...(meshRange === null ? {} : { meshRange }) };
}

/**
 * Returns the host's id: a host that this database no longer knows gets its former id again, because what
 * central signed for it is bound to that id.
 */
async function idFor(tx: Transaction, { formerHostId }: JoinRequest, newHostId: string): Promise<string> {
  if (formerHostId === undefined || (await findHost(tx, formerHostId)) !== undefined) return newHostId;
  return formerHostId;
}

function wrongToken(): AppError {
  return new AppError("not_authenticated", {
    detail: refusalDetails.badJoinToken,
  });
}

function idOfKnown({ id, revokedAt }: HostRow): string {
  if (revokedAt === null) return id;
  throw new AppError("not_found", {
    detail: refusalDetails.hostRevoked,
  });
}

export async function listHosts(app: HostsContext): Promise<HostSummary[]> {
  return (await selectHosts(app.db)).map((host) => viewHost(app, host));
}

export function viewHost(app: Pick<HostsContext, "hostStates" | "mesh">, host: HostWithLoad): HostSummary {
  return {
    id: host.id,
    name: host.name,
    state: app.hostStates.isConnected(host.id)
      ? "connected"
      : host.lastSeenAt === null
        ? "never_connected"
        : "unknown",
    resources: host.resources,
    countedMemoryMb: countedMemoryMb(host),
    agentVersion: host.build,
    reservedMemoryMb: host.reservedMemoryMb,
    projects: host.projects,
    mesh: viewMesh(app.mesh.findHost(host.id)),
    lastSeenAt: isoOrNull(app.hostStates.lastHeardAt(host.id) ?? host.lastSeenAt),
    createdAt: new Date(host.createdAt).toISOString(),
  };
}

function viewMesh(host: JudgedHost | undefined): HostSummary["mesh"] {
  const range = host?.own?.range ?? host?.givenRange;
  if (host === undefined || range == null) return null;
  const { state, clashesWith } = host;
  return { range, state, clashesWith };
}

/**
 * Sets the most memory that is counted of a host, as when an operator has put more into it. Throws
 * `not_found`.
 */
export async function setHostMemory(
  app: HostsContext,
  operator: OperatorActor,
  wanted: string,
  memoryMb: number,
): Promise<HostSummary> {
  const host = await chooseOneHost(app, wanted);
  await transact(app.db, async (tx) => {
    await saveMemoryCap(tx, host.id, memoryMb);
    const [before, after] = [{ memoryCapMb: host.memoryCapMb }, { memoryCapMb: memoryMb }];
    await recordAudit(app, tx, operator, { subject: subjectOf(host), before, after });
  });
  return viewHost(app, { ...host, memoryCapMb: memoryMb });
}

/**
 * Returns the memory by which projects are placed: what the host reports, but no more than its cap. Null
 * before its first connection.
 */
export function countedMemoryMb({
  resources,
  memoryCapMb,
}: Pick<HostRow, "resources" | "memoryCapMb">): number | null {
  return resources === null ? null : Math.min(resources.memoryMb, memoryCapMb ?? resources.memoryMb);
}

/** Revokes a host's right to connect, and cuts its connections. Throws `not_found`. */
export async function revokeHost(
  app: HostsContext,
  link: Pick<HostLink, "disconnect">,
  operator: OperatorActor,
  wanted: string,
): Promise<void> {
  const host = await chooseOneHost(app, wanted);
  await transact(app.db, async (tx) => {
    const isRevoked = await markRevoked(tx, host.id, app.clock.now());
    if (!isRevoked) throw new AppError("not_found");
    await recordAudit(app, tx, operator, { subject: subjectOf(host) });
  });
  app.heldBack.forget(host.id);
  link.disconnect(host.id);
}

function subjectOf({ id, name }: HostRow) {
  return { kind: "host" as const, id, name };
}

/**
 * Returns the connected host with the most memory left, so that projects spread; inside the transaction that
 * places the project. Throws `no_capacity` when none has room, `server_unavailable` when no host is
 * connected.
 */
export async function chooseHost(app: HostsContext, tx: Transaction, memoryMb: number): Promise<string> {
  const connected = (await selectHosts(tx)).filter((host) => app.hostStates.isConnected(host.id));
  if (connected.length === 0) throw new AppError("server_unavailable");
  const roomiest = connected.reduce((best, host) => (freeMemoryMb(host) > freeMemoryMb(best) ? host : best));
  if (freeMemoryMb(roomiest) < memoryMb) throw new AppError("no_capacity");
  return roomiest.id;
}

/** Throws `no_capacity` unless the project's own host has room for the memory that it needs in addition. */
export async function assertHostHasRoom(tx: Transaction, hostId: string, moreMb: number): Promise<void> {
  if (moreMb <= 0) return;
  const host = await findHostWithLoad(tx, hostId);
  if (host === undefined || freeMemoryMb(host) < moreMb) throw new AppError("no_capacity");
}

/** Returns the free memory in MiB; below 0 where projects were placed before the host lost memory. */
export function freeMemoryMb(host: HostWithLoad): number {
  return (countedMemoryMb(host) ?? 0) - hostReserveMb - host.reservedMemoryMb;
}
