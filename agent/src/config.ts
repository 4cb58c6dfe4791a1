/**
 * Parses the agent's configuration from environment variables; an unknown one with our prefix is an error.
 */

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { parseLogLevel, type LogLevel } from "@tijolo/protocol/kit";
import { parseMirrors } from "./images/oci/registry-endpoint.ts";

export interface AgentConfig {
  /**
   * Runtime of projects. `process` has no isolation and is for development: it must be named, and central
   * must be on the same machine.
   */
  runtime: "nspawn" | "process";
  /** `http(s)://host:port` of central. */
  centralUrl: string;
  /** Path of the certificate of central's own authority: with it, no other is trusted. */
  centralAuthorityFile: string | null;
  /**
   * Path of the join token, read to join, and to join anew when central does not know this host. The file may
   * be missing in between.
   */
  joinTokenFile: string | null;
  dataDirectory: string;
  /** Distinguishes several agents on one machine: part of the names of cgroups, interfaces and tables. */
  agentName: string;
  /** Name of the host in the cluster. */
  hostName: string;
  /**
   * Address range of this host's projects; each agent of a machine needs its own. Null: the one that central
   * gives this host.
   */
  networkCidr: string | null;
  /** UDP port of this host in the mesh; another one is taken where a program has it already. */
  meshPort: number;
  /** First of the user ids that containers get; each agent of a machine needs its own range. */
  uidStart: number;
  /**
   * Directory of the images; null: in the data directory. A configured one may serve several agents, so none
   * of them removes images.
   */
  imagesDirectory: string | null;
  /**
   * Base address, ending in a slash, of a mirror of what images are made from; null: Debian's own, and the
   * registry npm on this host is set to.
   */
  debianMirror: string | null;
  npmRegistry: string | null;
  /**
   * Greatest age of an index of the mirror in days; null: as long as the index itself allows, a week for
   * suites that move on.
   */
  debianIndexAgeDays: number | null;
  /**
   * Path of a file with credentials of registries, as `docker login` writes it; null: all registries are used
   * anonymously. Read at each pull.
   */
  registryAuthFile: string | null;
  /** Addresses that are tried instead of a registry, in their order and before the registry itself. */
  registryMirrors: ReadonlyMap<string, readonly string[]>;
  /** Hosts, with their port, of registries that are used without TLS. */
  insecureRegistries: ReadonlySet<string>;
  /** An install step that takes longer is ended (spec: "Limits", 5 minutes). */
  installTimeoutMs: number;
  logLevel: LogLevel;
}

const prefix = "TIJOLO_";
/**
 * Matches an address without what the archive or registry adds to it, and without a password: it appears in
 * images and logs.
 */
const baseAddress = /^https?:\/\/[^/@?#\s]+(\/[^@?#\s]*)?$/;
const hostList = /^([a-z0-9.-]+(:\d{1,5})?(,|$))*$/;
const absolutePath = /^\/[A-Za-z0-9._/-]+$/;
/** First id of all ranges, above what useradd and systemd assign; a machine has room for this many agents. */
const uidSpaceStart = 0x0800_0000;
const uidSpacePerAgent = 0x0c00_0000;
const uidSpaces = 8;
const maxUidStart = 0x7000_0000;
/**
 * Lowest first uid. Below it are users of the machine and the resolver's (`network/resolver/resolver-id.ts`).
 * A host whose projects have lower ids from earlier agents may continue with them, and no other host
 * (`reconcile/check-uid-start.ts`).
 */
export const minUidStart = 100_000;

/** Parses the variables. Throws with a sentence that names the wrong one. */
export function parseConfig(environment: Record<string, string | undefined>): AgentConfig {
  const left = new Map(Object.entries(environment).filter(([name]) => name.startsWith(prefix)));
  const take = (name: string) => {
    const value = left.get(prefix + name);
    left.delete(prefix + name);
    return value === "" ? undefined : value;
  };
  const agentName = take("AGENT_NAME") ?? "main";
  const config: AgentConfig = {
    runtime: checkedRuntime(take("RUNTIME") ?? "nspawn"),
    centralUrl: checked("CENTRAL_URL", take("CENTRAL_URL") ?? "http://127.0.0.1:8080", /^https?:\/\/[^/]+$/),
    centralAuthorityFile: optional("CENTRAL_AUTHORITY_FILE", take("CENTRAL_AUTHORITY_FILE"), absolutePath),
    joinTokenFile: take("JOIN_TOKEN_FILE") ?? null,
    dataDirectory: checked("DATA_DIRECTORY", take("DATA_DIRECTORY") ?? "/var/lib/tijolo/agent", absolutePath),
    agentName: checked("AGENT_NAME", agentName, /^[a-z0-9-]{1,32}$/),
    hostName: checked(
      "HOST_NAME",
      (take("HOST_NAME") ?? hostname()).toLowerCase(),
      /^[a-z0-9][a-z0-9.-]{0,62}$/,
    ),
    networkCidr: optional("NETWORK_CIDR", take("NETWORK_CIDR"), /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/),
    meshPort: Number(checked("MESH_PORT", take("MESH_PORT") ?? "51820", /^[1-9]\d{0,4}$/)),
    uidStart: checkedUid(take("UID_START") ?? String(defaultUidStart(agentName))),
    imagesDirectory: optional("IMAGES_DIRECTORY", take("IMAGES_DIRECTORY"), absolutePath),
    debianMirror: optionalAddress("DEBIAN_MIRROR", take("DEBIAN_MIRROR")),
    npmRegistry: optionalAddress("NPM_REGISTRY", take("NPM_REGISTRY")),
    debianIndexAgeDays: optionalNumber("DEBIAN_INDEX_AGE_DAYS", take("DEBIAN_INDEX_AGE_DAYS"), /^[1-9]\d?$/),
    registryAuthFile: optional("REGISTRY_AUTH_FILE", take("REGISTRY_AUTH_FILE"), absolutePath),
    registryMirrors: checkedMirrors(take("REGISTRY_MIRRORS")),
    insecureRegistries: new Set(
      checked("REGISTRY_INSECURE", take("REGISTRY_INSECURE") ?? "", hostList)
        .split(",")
        .filter(Boolean),
    ),
    installTimeoutMs:
      Number(checked("INSTALL_TIMEOUT_SECONDS", take("INSTALL_TIMEOUT_SECONDS") ?? "300", /^[1-9]\d{0,4}$/)) *
      1000,
    logLevel: parseLogLevel(take("LOG_LEVEL")),
  };
  const [unknown] = left.keys();
  if (unknown !== undefined)
    throw new Error(`${unknown} is not a setting of the agent. Remove it, or check its spelling.`);
  assertRuntimeFits(config);
  return config;
}

function checkedRuntime(name: string): AgentConfig["runtime"] {
  if (name === "nspawn" || name === "process") return name;
  throw new Error(`${prefix}RUNTIME must be nspawn or process, not ${JSON.stringify(name)}.`);
}

/** Throws when projects of other people could run without isolation. */
function assertRuntimeFits({ runtime, centralUrl }: AgentConfig): void {
  if (runtime !== "process" || isLoopback(new URL(centralUrl).hostname)) return;
  throw new Error(
    `${prefix}RUNTIME=process has no isolation, so it serves only a central on this machine (127.0.0.1, ::1 or localhost), not ${centralUrl}. A host of a real cluster runs without ${prefix}RUNTIME.`,
  );
}

function isLoopback(host: string): boolean {
  return ["localhost", "[::1]"].includes(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function checked(name: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value))
    throw new Error(`${prefix}${name} must match ${pattern}, not ${JSON.stringify(value)}.`);
  return value;
}

function optional(name: string, value: string | undefined, pattern: RegExp): string | null {
  return value === undefined ? null : checked(name, value, pattern);
}

function optionalNumber(name: string, value: string | undefined, pattern: RegExp): number | null {
  const text = optional(name, value, pattern);
  return text === null ? null : Number(text);
}

function optionalAddress(name: string, value: string | undefined): string | null {
  const address = optional(name, value, baseAddress);
  return address === null || address.endsWith("/") ? address : `${address}/`;
}

function checkedMirrors(text: string | undefined): ReadonlyMap<string, readonly string[]> {
  const mirrors = text === undefined ? new Map<string, string[]>() : parseMirrors(text);
  if (mirrors !== undefined) return mirrors;
  throw new Error(
    `${prefix}REGISTRY_MIRRORS must be like docker.io=https://mirror.example,ghcr.io=https://other.example.`,
  );
}

/**
 * Checks the first id: each project takes 65,536 ids from there on; the kernel mounts a container's terminals
 * only for ids below 2^31.
 */
function checkedUid(text: string): number {
  const uid = Number(checked("UID_START", text, /^\d{5,10}$/));
  if (uid > maxUidStart) throw new Error(`${prefix}UID_START must be at most ${maxUidStart}, not ${text}.`);
  return uid;
}

/**
 * Derives the first id from the agent's name, so that two agents of one machine rarely have the same range by
 * default.
 */
function defaultUidStart(agentName: string): number {
  const slot =
    agentName === "main"
      ? 0
      : 1 + ((createHash("sha256").update(agentName).digest()[0] ?? 0) % (uidSpaces - 1));
  return uidSpaceStart + slot * uidSpacePerAgent;
}
