/**
 * Defines the mesh: the encrypted network (WireGuard) over which projects of one account reach each other on
 * several hosts. A host says what it is in it, and central answers with the hosts and projects that its own
 * projects may reach.
 */

import { z } from "zod";
import { id } from "../values/id.ts";

/** Public key of a member: Curve25519, base64 as WireGuard writes it. */
export const meshKey = z.string().regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/);

/** Addresses of a host's projects: an IPv4 network between /16 and /30. */
export const meshRange = z
  .string()
  .max(18)
  .regex(/^\d{1,3}(?:\.\d{1,3}){3}\/(?:1[6-9]|2\d|30)$/);

const ipv4 = z
  .string()
  .max(15)
  .regex(/^\d{1,3}(?:\.\d{1,3}){3}$/);

/** Members that one cluster has. */
export const maxMeshMembers = 256;

const port = z.int().min(1).max(65_535);

/** A host's own end of the mesh, as it tells central. */
export const meshRequest = z.object({
  key: meshKey,
  /** Key that the host uses instead once its neighbours let it in with either; absent: none is planned. */
  nextKey: meshKey.optional(),
  /** UDP port of its WireGuard. */
  port,
  range: meshRange,
});
export type MeshRequest = z.infer<typeof meshRequest>;

/** A host's own end of the mesh after a change, and what it has put in force. */
export const meshNews = z.object({
  own: meshRequest,
  /** Next keys of other hosts with which this host lets them in. */
  letIn: z.array(meshKey).max(maxMeshMembers),
});
export type MeshNews = z.infer<typeof meshNews>;

/** Another host, some of whose projects belong to an account that has projects on this host. */
export const meshMember = z.object({
  hostId: id,
  ...meshRequest.shape,
  /**
   * Address from which central sees it; its datagrams may come from another one. Null: the machine of central
   * itself, which is reached where the agent reaches central.
   */
  address: z.union([z.ipv4(), z.ipv6()]).nullable(),
});
export type MeshMember = z.infer<typeof meshMember>;

/** A project that runs on another host, of an account that has projects on this host. */
export const meshProject = z.object({ projectId: id, accountId: id, hostId: id, address: ipv4 });
export type MeshProject = z.infer<typeof meshProject>;

/** Projects of other hosts that one host knows. */
export const maxMeshProjects = 20_000;

/**
 * Returns the address of a host itself in the mesh: the last one of its range, which no project gets. Its
 * gateway sends from there.
 */
export function meshHostAddress(range: string): string {
  const [address = "", prefix = ""] = range.split("/");
  const size = 2 ** (32 - Number(prefix));
  const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const last = number - (number % size) + size - 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join(".");
}

/** All that the host is to know of the mesh; it replaces what was told before. */
export const meshUpdate = z.object({
  /** Range that central gives this host. It is used from the agent's next start on, unless it was told another. */
  range: meshRange.nullable(),
  /** Name of the host that has this host's range, or a part of it, already; null: none, and this is a member. */
  clashesWith: z.string().max(63).nullable(),
  members: z.array(meshMember).max(maxMeshMembers),
  projects: z.array(meshProject).max(maxMeshProjects),
  /** Those of the members whose machine has a gateway, which reaches the sites of this host. */
  gateways: z.array(id).max(maxMeshMembers).default([]),
  /**
   * The next key of this host, from when it may be used on; null before. Absent: this central is older, and
   * hosts keep their keys.
   */
  mayUse: meshKey.nullable().optional(),
});
export type MeshUpdate = z.infer<typeof meshUpdate>;

/** Path of the WebSocket that carries datagrams between hosts that do not reach each other by UDP. */
export const carrierPath = "/link/carrier";

/** Largest datagram in bytes that is carried. */
export const maxCarriedBytes = 2_048;

/** Unsent bytes of a carrier above which datagrams are dropped, as a full queue of a router would. */
export const carrierQueueBytes = 256 * 1024;

/** Made once: another one for each datagram would cost more than all else that is done with it. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Puts a datagram and the host at the other end into one message: the length of the id in a byte, the id, the
 * datagram. To central it names the host it is for, from central the one that it comes from.
 */
export function carried(hostId: string, datagram: Uint8Array): Uint8Array {
  const name = encoder.encode(hostId);
  const message = new Uint8Array(1 + name.length + datagram.length);
  message[0] = name.length;
  message.set(name, 1);
  message.set(datagram, 1 + name.length);
  return message;
}

/** Returns the host and the datagram of a message; undefined when it is none. */
export function readCarried(message: Uint8Array): { hostId: string; datagram: Uint8Array } | undefined {
  const length = message[0] ?? 0;
  const size = message.length - 1 - length;
  if (length === 0 || size < 1 || size > maxCarriedBytes) return undefined;
  const hostId = id.safeParse(decoder.decode(message.subarray(1, 1 + length)));
  return hostId.success ? { hostId: hostId.data, datagram: message.subarray(1 + length) } : undefined;
}
