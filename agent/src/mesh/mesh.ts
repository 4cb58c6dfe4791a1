/**
 * Makes this host a member of the mesh: keeps WireGuard, the rules and the names of projects in step with what
 * central told last, and takes the way over central for hosts that are not heard by UDP.
 */

import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import {
  meshHostAddress,
  type MeshMember,
  type MeshNews,
  type MeshRequest,
  type MeshUpdate,
} from "@tijolo/protocol";
import { SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { isInRange, parseAddressRange, type AddressRange } from "../network/address-range.ts";
import type { DistantProject } from "../network/mesh-entries.ts";
import { Carrier } from "./carrier.ts";
import { keyChangeAt } from "./key-age.ts";
import type { MeshFile } from "./mesh-file.ts";
import { peerKeysOf, withOwnKeys } from "./peer-keys.ts";
import { PeerWays } from "./peer-ways.ts";
import { PortTakenError, type Peer, type PeerState, type WireguardDevice } from "./wireguard-device.ts";

export interface MeshOptions {
  file: MeshFile;
  /** Addresses of this host's projects. */
  range: string;
  network: { setDistant(projects: readonly DistantProject[], gateways: readonly string[]): Promise<void> };
  device: Pick<WireguardDevice, "ensure" | "isUp" | "setPeers" | "setEndpoint" | "peers" | "remove">;
  carrier: Pick<Carrier, "endpointOf" | "keep" | "wake">;
  centralUrl: string;
  clock: { now(): number };
  /** Returns a number from 0 to below 1. */
  random: () => number;
  /** Milliseconds between two looks at the peers. Default: 5 s. */
  lookEveryMs?: number;
  /** Milliseconds in which the first handshake comes by UDP, or not at all. Default: 15 s. */
  firstHandshakeMs?: number;
  logger: Pick<Logger, "info" | "warn">;
}

export class Mesh implements AsyncDisposable {
  readonly #options: MeshOptions;
  /** Does one thing after the other. */
  readonly #turns = new SerialQueue();
  readonly #ways: PeerWays;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  /** Next keys of members that are let in. */
  #letIn: string[] = [];
  #told = "";
  /** False until everything that central told last is in force. */
  #isApplied = true;
  #isLooking = false;
  /** Hosts that are to be reached over central, and are not yet. */
  readonly #toCarry = new Set<string>();
  #isClosed = false;

  private constructor(options: MeshOptions) {
    this.#options = options;
    this.#ways = new PeerWays(options.firstHandshakeMs);
    this.#timer = setInterval(() => this.#lookAgain(), options.lookEveryMs ?? 5_000);
    this.#timer.unref();
  }

  /** Begins with what an earlier agent knew. */
  static open(options: MeshOptions): Mesh {
    const mesh = new Mesh(options);
    if (options.file.update !== null) void mesh.#do(() => mesh.#apply());
    return mesh;
  }

  /** This host's key, port and range, as central is told. */
  get own(): MeshRequest {
    const { file, range } = this.#options;
    const { key, nextKey, port } = file;
    return { key, port, range, ...(nextKey === undefined ? {} : { nextKey }) };
  }

  /** News for central: this host's own part, and the next keys of others that it lets in. */
  get news(): MeshNews {
    return { own: this.own, letIn: this.#letIn };
  }

  /** Calls back when {@link news} may have changed. Returns the unsubscribe function. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes what central tells, in the background; failures are logged and tried again. */
  take(update: MeshUpdate): void {
    this.#options.carrier.wake();
    void this.#do(async () => {
      this.#isApplied = false;
      await this.#options.file.save(update);
      this.#tellOperator(update);
      await this.#useNextKey(update);
      await this.#apply();
    });
  }

  /** Ends the agent's part. The interface stays, with its peers. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turns.idle();
  }

  #lookAgain(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#do(async () => {
      await this.#planNextKey();
      await (this.#isApplied ? this.#look() : this.#apply());
    }).finally(() => (this.#isLooking = false));
  }

  /** Makes this host's next key once its own is old; a central that knows of none leaves the key as it is. */
  async #planNextKey(): Promise<void> {
    const { file, clock, random, logger } = this.#options;
    if (file.nextKey !== undefined || file.update?.mayUse === undefined) return;
    const changeAtMs = keyChangeAt(file.changeAtMs, clock.now(), random);
    if (changeAtMs !== file.changeAtMs) await file.setChangeAtMs(changeAtMs);
    if (clock.now() < changeAtMs) return;
    await file.makeNextKey();
    logger.info({ nextKey: file.nextKey }, "mesh: this host's key is old; other hosts learn its next one");
    this.#tellNews();
  }

  /** Changes to the next key when others let it in. Central learns of it once the key is in force. */
  async #useNextKey({ mayUse }: MeshUpdate): Promise<void> {
    const { file, logger } = this.#options;
    if (file.nextKey === undefined || mayUse !== file.nextKey) return;
    await file.useNextKey();
    logger.info({ key: file.key }, "mesh: this host has changed its key");
  }

  #tellNews(): void {
    for (const listener of this.#listeners) listener();
  }

  async #do(work: () => Promise<void>): Promise<void> {
    const { logger } = this.#options;
    await this.#turns
      .run(async () => {
        if (!this.#isClosed) await work();
      })
      .catch((error: unknown) =>
        logger.warn({ err: error }, "mesh: projects on other hosts may not be reached; trying again"),
      );
  }

  async #apply(): Promise<void> {
    const { file, network, device } = this.#options;
    this.#isApplied = false;
    const { members, projects, gateways } = heldBy(this.#options.range, file.update);
    // What is gone is refused before its interface goes, and what is new is let in once there is a way.
    if (members.length === 0) {
      await network.setDistant([], []);
      await device.remove();
    } else {
      await this.#setPeers(members);
      await network.setDistant(projects, gateways);
    }
    this.#letIn = members.flatMap(({ nextKey }) => nextKey ?? []);
    this.#isApplied = true;
    this.#tellNews();
    await this.#look();
  }

  async #setPeers(members: readonly MeshMember[]): Promise<void> {
    const { device } = this.#options;
    await this.#ensure();
    const states = await device.peers();
    const peers = await Promise.all(members.map((member) => this.#peersOf(member, states)));
    await device.setPeers(peers.flat());
  }

  async #ensure(): Promise<void> {
    const { file, device, logger } = this.#options;
    const { privateKey, port } = file;
    const address = meshHostAddress(this.#options.range);
    try {
      await device.ensure({ privateKey, port, address });
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      const other = await file.takeAnotherPort();
      logger.warn({ port, other }, "mesh: another program has this UDP port; another one is taken");
      await device.ensure({ privateKey, port: other, address });
    }
  }

  /** Looks whether the peers are heard, and puts back an interface that is gone. */
  async #look(): Promise<void> {
    const { file, range, device, carrier } = this.#options;
    const { members } = heldBy(range, file.update);
    if (members.length === 0) return carrier.keep(new Set());
    const states = (await device.isUp()) ? await device.peers() : new Map<string, PeerState>();
    if (!members.every((member) => isInForce(member, states))) await this.#setPeers(members);
    const used = members.map((member) => ({ ...member, key: peerKeysOf(member, states).used }));
    const { carry } = this.#ways.look(used, states, performance.now());
    carrier.keep(this.#ways.carried);
    for (const hostId of carry) this.#toCarry.add(hostId);
    await this.#carry(members, states);
  }

  /** Has WireGuard reach hosts over central. One that it fails for keeps no other waiting, and is tried again. */
  async #carry(members: readonly MeshMember[], states: ReadonlyMap<string, PeerState>): Promise<void> {
    const { device, carrier, logger } = this.#options;
    const { carried } = this.#ways;
    for (const hostId of this.#toCarry) if (!carried.has(hostId)) this.#toCarry.delete(hostId);
    const errors: unknown[] = [];
    for (const member of members) {
      const { hostId } = member;
      if (!this.#toCarry.has(hostId)) continue;
      try {
        for (const { key } of await this.#peersOf(member, states))
          await device.setEndpoint(key, await carrier.endpointOf(hostId));
        this.#toCarry.delete(hostId);
        logger.info({ hostId }, "mesh: a host is not heard by UDP; it is reached over central");
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "hosts are not reached over central yet");
  }

  /** Returns a member as WireGuard is to have it: twice while its key is changing. */
  async #peersOf(member: MeshMember, states: ReadonlyMap<string, PeerState>): Promise<Peer[]> {
    const { used, awaited } = peerKeysOf(member, states);
    const endpoint = await this.#endpointOf(member);
    const peer = { key: used, range: member.range, endpoint };
    if (awaited === undefined) return [peer];
    // It is sought where it is now: two hosts that change their keys at once find each other by the new ones.
    return [peer, { key: awaited, range: null, endpoint: states.get(used)?.endpoint ?? endpoint }];
  }

  async #endpointOf({ hostId, address: seen, port }: MeshMember): Promise<string> {
    const { carrier, centralUrl } = this.#options;
    if (this.#ways.carried.has(hostId)) return carrier.endpointOf(hostId);
    const address = seen ?? (await addressOf(centralUrl));
    return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
  }

  #tellOperator({ range, clashesWith }: MeshUpdate): void {
    const own = this.#options.range;
    const told = JSON.stringify([range, clashesWith]);
    if (told === this.#told) return;
    this.#told = told;
    const { logger } = this.#options;
    if (clashesWith !== null)
      logger.warn(
        { range: own, clashesWith, given: range },
        "mesh: another host has addresses of this one's projects, so its projects and these do not reach each other. Restart this agent without TIJOLO_NETWORK_CIDR: it then takes the range that central gives it",
      );
    else if (range !== null && range !== own)
      logger.info({ range: own, given: range }, "mesh: central gives this host another range of addresses");
  }
}

/**
 * Returns the members and projects of an update as far as they leave this host's own addresses alone, and each
 * member has a range of its own with its projects in it: central is believed as little as possible.
 */
export function heldBy(
  own: string,
  update: MeshUpdate | null,
): { members: MeshMember[]; projects: DistantProject[]; gateways: string[] } {
  if (update === null || update.clashesWith !== null) return { members: [], projects: [], gateways: [] };
  const taken = [parseAddressRange(own)];
  const ranges = new Map<string, AddressRange>();
  const members = withOwnKeys(update.members).filter(({ hostId, range: text }) => {
    const range = readRange(text);
    if (range === undefined || taken.some((other) => overlaps(range, other))) return false;
    taken.push(range);
    ranges.set(hostId, range);
    return true;
  });
  const projects = update.projects.filter(({ hostId, address }) => {
    const range = ranges.get(hostId);
    return range !== undefined && isInRange(range, address);
  });
  const gateways = members
    .filter(({ hostId }) => update.gateways.includes(hostId))
    .map(({ range }) => meshHostAddress(range));
  return { members, projects, gateways };
}

/** True when WireGuard has a member's addresses by the key that it uses, and lets in the next one. */
function isInForce(member: MeshMember, states: ReadonlyMap<string, PeerState>): boolean {
  const { used, awaited } = peerKeysOf(member, states);
  if (awaited !== undefined && !states.has(awaited)) return false;
  return states.get(used)?.ranges.join() === member.range;
}

function readRange(text: string): AddressRange | undefined {
  try {
    return parseAddressRange(text);
  } catch {
    return undefined;
  }
}

function overlaps(one: AddressRange, other: AddressRange): boolean {
  return one.first - 1 <= other.last + 1 && other.first - 1 <= one.last + 1;
}

async function addressOf(centralUrl: string): Promise<string> {
  const { hostname } = new URL(centralUrl);
  return (await lookup(hostname.replace(/^\[|\]$/g, ""))).address;
}
