/**
 * Lists where a registry is reached: its mirrors in the operator's order, then itself; by http only where
 * that was allowed.
 */

import { isIPv4 } from "node:net";
import { OciError } from "./oci-error.ts";

export interface RegistryEndpoint {
  /** `https://mirror.example`, without a path. */
  origin: string;
  /** Prefix of the repository's path on a mirror that serves below a path; "" or with a slash at its end. */
  repositoryPrefix: string;
  /** Host by which the credentials are found. */
  credentialHost: string;
}

export interface RegistrySettings {
  /** Addresses by registry host, as in references. */
  mirrors: ReadonlyMap<string, readonly string[]>;
  /** Hosts (with their port) that are used without TLS. Loopback is always allowed. */
  insecureHosts: ReadonlySet<string>;
}

const publicDockerHost = "registry-1.docker.io";

/** Returns at least one endpoint. Throws {@link OciError} for a mirror's address that may not be used. */
export function endpointsOf(registry: string, settings: RegistrySettings): RegistryEndpoint[] {
  const mirrors = (settings.mirrors.get(registry) ?? []).map((address) => mirrorEndpoint(address, settings));
  return [...mirrors, ownEndpoint(registry, settings)];
}

/** True for an address that may be used: https, or http on loopback and on hosts that the operator named. */
export function isAllowed(address: URL, { insecureHosts }: Pick<RegistrySettings, "insecureHosts">): boolean {
  if (address.protocol === "https:") return true;
  return address.protocol === "http:" && (isLoopback(address.hostname) || insecureHosts.has(address.host));
}

/**
 * Parses `docker.io=https://mirror.example,docker.io=https://second.example,ghcr.io=…`; undefined when it is
 * malformed.
 */
export function parseMirrors(text: string): Map<string, string[]> | undefined {
  const mirrors = new Map<string, string[]>();
  for (const part of text.split(",").map((part) => part.trim())) {
    const [, registry, address] = /^([^\s=]+)=(https?:\/\/[^\s?#@]+)$/.exec(part) ?? [];
    if (registry === undefined || address === undefined || !URL.canParse(address)) return undefined;
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), address]);
  }
  return mirrors;
}

function ownEndpoint(registry: string, { insecureHosts }: RegistrySettings): RegistryEndpoint {
  const host = registry === "docker.io" ? publicDockerHost : registry;
  const isPlain = insecureHosts.has(registry) || isLoopback(new URL(`http://${host}`).hostname);
  return {
    origin: `${isPlain ? "http" : "https"}://${host}`,
    repositoryPrefix: "",
    credentialHost: registry,
  };
}

function mirrorEndpoint(address: string, settings: RegistrySettings): RegistryEndpoint {
  const url = new URL(address);
  if (!isAllowed(url, settings))
    throw new OciError("refused", `the mirror ${url.origin} is without TLS, and not named as insecure`);
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, "");
  return {
    origin: url.origin,
    repositoryPrefix: prefix === "" ? "" : `${prefix}/`,
    credentialHost: url.host,
  };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}
