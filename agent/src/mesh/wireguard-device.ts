/**
 * Keeps the mesh's interface: WireGuard of the kernel, or `wireguard-go`, which outlives the agent as the
 * resolver does. Both are set up by `wg`.
 */

import { access } from "node:fs/promises";
import type { MachineNews } from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import { exec, execDetached, ExecError, hostEnvironment } from "../host/exec.ts";
import type { PrivateKey } from "./own-keys.ts";
import type { WireguardPrograms } from "./wireguard-programs.ts";

/**
 * Bytes of a packet: what is left of 1,500 after WireGuard, IPv6 and the carrier's TLS, and of most lines with
 * a tunnel of their own.
 */
const mtu = 1_380;
/** Keeps the mappings of routers between two hosts alive. */
const keepAliveSeconds = 25;
const startTimeoutMs = 15_000;

/** A peer as it is to be. */
export interface Peer {
  key: string;
  /** Addresses of its projects; null: none, only its handshake is let in. */
  range: string | null;
  /** Place to which datagrams are sent at first, `address:port`; WireGuard follows a peer that moves. */
  endpoint: string;
}

/** A peer as WireGuard has it. */
export interface PeerState {
  ranges: string[];
  /** Place to which datagrams are sent now, `address:port`; undefined: none is known. */
  endpoint: string | undefined;
  /** True once it has proved its key. */
  hasHandshake: boolean;
  receivedBytes: number;
}

/** This host's own end of the mesh. */
export interface OwnPlace {
  privateKey: PrivateKey;
  port: number;
  /** The host's own address in the mesh. */
  address: string;
}

export interface DeviceOptions {
  interface: string;
  instanceName: string;
  programs: () => Promise<WireguardPrograms>;
  group: ServiceGroup;
  logger: Pick<Logger, "info" | "warn">;
}

export class PortTakenError extends Error {
  override name = "PortTakenError";
}

export class WireguardDevice {
  readonly #options: DeviceOptions;
  #programs: Promise<WireguardPrograms> | undefined;

  constructor(options: DeviceOptions) {
    this.#options = options;
  }

  /**
   * Makes the interface unless it is there and answers. Throws {@link PortTakenError} when another program has
   * the port.
   */
  async ensure({ privateKey, port, address }: OwnPlace): Promise<void> {
    const name = this.#options.interface;
    if (!(await this.isUp())) {
      await this.remove();
      await this.#make();
    }
    const [earlierKey, , earlierPort] = (await this.#dump()).split("\n", 1)[0]?.split("\t") ?? [];
    try {
      // Set only where it differs: wireguard-go opens its socket anew even for the same port.
      if (earlierKey !== privateKey.text) await this.#setPrivateKey(privateKey);
      if (earlierPort !== String(port)) await this.#wg(["set", name, "listen-port", String(port)]);
      await exec(["ip", "address", "replace", `${address}/32`, "dev", name]);
      await exec(["ip", "link", "set", "dev", name, "mtu", String(mtu), "up"]);
    } catch (cause) {
      throw isPortTaken(cause) ? new PortTakenError(`UDP port ${port} is taken`, { cause }) : cause;
    }
  }

  /** True while the interface is there and answers. */
  async isUp(): Promise<boolean> {
    if (!(await isThere(`/sys/class/net/${this.#options.interface}`))) return false;
    return this.#dump().then(
      () => true,
      () => false,
    );
  }

  /** Makes the peers those given, with a route for each. Peers that stay keep their sessions and endpoints. */
  async setPeers(peers: readonly Peer[]): Promise<void> {
    const name = this.#options.interface;
    const known = await this.peers();
    const wanted = new Map(peers.map((peer) => [peer.key, peer]));
    const gone = [...known.keys()].filter((key) => !wanted.has(key));
    const changes = gone.flatMap((key) => ["peer", key, "remove"]);
    for (const { key, range, endpoint } of peers) {
      const before = known.get(key);
      if (before?.ranges.join() === (range ?? "")) continue;
      const place = before === undefined ? ["endpoint", endpoint] : [];
      const keepAlive = ["persistent-keepalive", String(keepAliveSeconds)];
      changes.push("peer", key, ...place, ...keepAlive, "allowed-ips", range ?? "");
    }
    if (changes.length > 0) await this.#wg(["set", name, ...changes]);
    await this.#setRoutes(peers.flatMap(({ range }) => range ?? []));
  }

  setEndpoint(key: string, endpoint: string): Promise<void> {
    return this.#wg(["set", this.#options.interface, "peer", key, "endpoint", endpoint]).then(() => {});
  }

  /** Returns the peers by their keys. */
  async peers(): Promise<Map<string, PeerState>> {
    return parsePeers(await this.#dump());
  }

  /** Removes the interface, its routes, and the process behind it. */
  async remove(): Promise<void> {
    const name = this.#options.interface;
    if (await isThere(`/sys/class/net/${name}`))
      await exec(["ip", "link", "delete", "dev", name], { okCodes: [0, 1] });
    await this.#options.group.remove();
  }

  async #make(): Promise<void> {
    const name = this.#options.interface;
    if (await this.#makeInKernel()) return;
    const { instanceName, group, logger } = this.#options;
    const news: MachineNews = { code: "wireguard_in_user_space" };
    logger.info({ news }, "the kernel has no WireGuard: wireguard-go takes its place");
    const argv = [...(await (await this.#findPrograms()).wireguardGo()), "-f", name];
    const env = {
      ...hostEnvironment,
      LOG_LEVEL: "error",
      // A packet passes several goroutines. On one thread that wakes no other: a visit costs a fifth to a half less.
      GOMAXPROCS: "1",
      TIJOLO_AGENT_NAME: instanceName,
    };
    const pid = await execDetached(argv, { env });
    await group
      .join(pid)
      .catch((error: unknown) =>
        logger.warn({ err: error, pid }, "wireguard-go stays in the agent's own control group"),
      );
    if (!(await poll(() => this.isUp(), { timeoutMs: startTimeoutMs, everyMs: 50 })))
      throw new Error(`wireguard-go did not make ${name} within ${startTimeoutMs} ms`);
  }

  /**
   * Sets the key. WireGuard then sends nothing in the sessions that it has, so each peer gets a keepalive, for
   * which a new session begins at once: a host that is only sent to would begin none.
   */
  async #setPrivateKey({ file }: PrivateKey): Promise<void> {
    const name = this.#options.interface;
    await this.#wg(["set", name, "private-key", file]);
    const keys = [...(await this.peers()).keys()];
    if (keys.length === 0) return;
    // A keepalive is sent when they are turned on, not when they are on already.
    for (const seconds of [0, keepAliveSeconds])
      await this.#wg([
        "set",
        name,
        ...keys.flatMap((key) => ["peer", key, "persistent-keepalive", String(seconds)]),
      ]);
  }

  async #makeInKernel(): Promise<boolean> {
    return exec(["ip", "link", "add", "dev", this.#options.interface, "type", "wireguard"]).then(
      () => true,
      () => false,
    );
  }

  #dump(): Promise<string> {
    return this.#wg(["show", this.#options.interface, "dump"]);
  }

  async #setRoutes(ranges: readonly string[]): Promise<void> {
    const name = this.#options.interface;
    const { stdout } = await exec(["ip", "-4", "-json", "route", "show", "dev", name]);
    const found = JSON.parse(stdout === "" ? "[]" : stdout) as { dst: string }[];
    for (const range of ranges) await exec(["ip", "route", "replace", range, "dev", name, "scope", "link"]);
    for (const { dst } of found)
      if (!ranges.includes(dst)) await exec(["ip", "route", "delete", dst, "dev", name], { okCodes: [0, 2] });
  }

  async #wg(args: readonly string[]): Promise<string> {
    const { wg } = await this.#findPrograms();
    return (await exec([...wg, ...args])).stdout;
  }

  #findPrograms(): Promise<WireguardPrograms> {
    this.#programs ??= this.#options.programs().catch((error: unknown) => {
      this.#programs = undefined; // the next call tries again
      throw error;
    });
    return this.#programs;
  }
}

/**
 * Reads `wg show <interface> dump` (wg(8)): a line of the interface, then one per peer: key, preshared key,
 * endpoint, allowed addresses, seconds of the last handshake, bytes received, bytes sent, keepalive.
 */
export function parsePeers(dump: string): Map<string, PeerState> {
  const [, ...lines] = dump.trim().split("\n");
  return new Map(
    lines.map((line): [string, PeerState] => {
      const [key = "", , endpoint, ranges = "", handshake = "0", received = "0"] = line.split("\t");
      return [
        key,
        {
          ranges: ranges === "(none)" ? [] : ranges.split(","),
          endpoint: endpoint === "(none)" ? undefined : endpoint,
          hasHandshake: handshake !== "0",
          receivedBytes: Number(received),
        },
      ];
    }),
  );
}

function isPortTaken(error: unknown): boolean {
  return error instanceof ExecError && /address (?:already )?in use/i.test(error.stderr);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
