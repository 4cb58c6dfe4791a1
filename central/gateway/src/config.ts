/**
 * Parses the gateway's configuration from environment variables; an unknown one with our prefix is an error.
 */

import { isIPv4, isIPv6 } from "node:net";
import { hostname } from "node:os";
import { parseLogLevel, type LogLevel } from "@tijolo/protocol/kit";

export interface GatewayConfig {
  /** `http(s)://host:port` of central. */
  centralUrl: string;
  /** Path of the certificate of central's own authority, for a central on another machine: no other is trusted. */
  centralAuthorityFile: string | null;
  /** Path of the join token, read to join; null: the machine has joined. */
  joinTokenFile: string | null;
  dataDirectory: string;
  /** Name of the gateway in the cluster. */
  name: string;
  /** `host:port` at which visitors arrive over HTTP. */
  httpListen: string;
  /** `host:port` at which visitors arrive over HTTPS; null: nowhere. */
  httpsListen: string | null;
  /** True to speak HTTP/3 at the address of HTTPS, too, over UDP. */
  hasHttp3: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-For` and `-Proto` count; none: no proxy's. */
  trustedProxies: string[];
  /** True where connections of these proxies begin with the PROXY protocol, which says the visitor's address. */
  hasProxyProtocol: boolean;
  /** Directory of a HAProxy that was fetched; null: in the data directory. Several gateways may share it. */
  toolsDirectory: string | null;
  /** True when HAProxy ends with this program; otherwise it goes on, and the next start adopts it. */
  stopsHaproxy: boolean;
  logLevel: LogLevel;
}

const prefix = "TIJOLO_";
const absolutePath = /^\/[A-Za-z0-9._/-]+$/;
/** Longest data directory: the paths of sockets in it have 107 characters at most. */
const maxDirectoryLength = 80;

/** Parses the variables. Throws with a sentence that names the wrong one. */
export function parseConfig(environment: Record<string, string | undefined>): GatewayConfig {
  const left = new Map(Object.entries(environment).filter(([name]) => name.startsWith(prefix)));
  const take = (name: string) => {
    const value = left.get(prefix + name);
    left.delete(prefix + name);
    return value === "" ? undefined : value;
  };
  const httpsListen = take("HTTPS_LISTEN") ?? "0.0.0.0:443";
  const config: GatewayConfig = {
    centralUrl: checked("CENTRAL_URL", take("CENTRAL_URL") ?? "http://127.0.0.1:8080", /^https?:\/\/[^/]+$/),
    centralAuthorityFile: optionalPath("CENTRAL_AUTHORITY_FILE", take("CENTRAL_AUTHORITY_FILE")),
    joinTokenFile: take("JOIN_TOKEN_FILE") ?? null,
    dataDirectory: checkedDirectory(take("DATA_DIRECTORY") ?? "/var/lib/tijolo/gateway"),
    name: checked(
      "GATEWAY_NAME",
      (take("GATEWAY_NAME") ?? hostname()).toLowerCase(),
      /^[a-z0-9][a-z0-9.-]{0,62}$/,
    ),
    httpListen: checkedAddress("HTTP_LISTEN", take("HTTP_LISTEN") ?? "0.0.0.0:80"),
    httpsListen: httpsListen === "off" ? null : checkedAddress("HTTPS_LISTEN", httpsListen),
    hasHttp3: checked("HTTP3", take("HTTP3") ?? "off", /^(on|off)$/) === "on",
    trustedProxies: checkedNetworks(take("TRUSTED_PROXIES") ?? ""),
    hasProxyProtocol: checked("PROXY_PROTOCOL", take("PROXY_PROTOCOL") ?? "off", /^(on|off)$/) === "on",
    toolsDirectory: optionalPath("TOOLS_DIRECTORY", take("TOOLS_DIRECTORY")),
    stopsHaproxy: checked("STOPS_HAPROXY", take("STOPS_HAPROXY") ?? "no", /^(yes|no)$/) === "yes",
    logLevel: parseLogLevel(take("LOG_LEVEL")),
  };
  const [unknown] = left.keys();
  if (unknown !== undefined)
    throw new Error(`${unknown} is not a setting of the gateway. Remove it, or check its spelling.`);
  if (config.centralUrl.startsWith("https:") !== (config.centralAuthorityFile !== null))
    throw new Error(
      `${prefix}CENTRAL_AUTHORITY_FILE belongs to an address of central over HTTPS (${prefix}CENTRAL_URL), and such an address needs it.`,
    );
  return config;
}

function optionalPath(name: string, value: string | undefined): string | null {
  return value === undefined ? null : checked(name, value, absolutePath);
}

function checked(name: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value))
    throw new Error(`${prefix}${name} must match ${pattern}, not ${JSON.stringify(value)}.`);
  return value;
}

function checkedDirectory(value: string): string {
  if (value.length <= maxDirectoryLength) return checked("DATA_DIRECTORY", value, absolutePath);
  throw new Error(
    `${prefix}DATA_DIRECTORY may have ${maxDirectoryLength} characters: sockets lie in it, whose paths are short.`,
  );
}

function checkedAddress(name: string, value: string): string {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(value);
  const isHost = isIPv6(match?.[1] ?? "") || match?.[2] !== undefined;
  if (isHost && Number(match?.[3]) <= 65_535) return value;
  throw new Error(
    `${prefix}${name} must be an address and a port, as 0.0.0.0:80, not ${JSON.stringify(value)}.`,
  );
}

function checkedNetworks(text: string): string[] {
  const networks = text
    .split(",")
    .map((network) => network.trim())
    .filter((network) => network !== "");
  for (const network of networks) {
    const [address = "", length, ...rest] = network.split("/");
    const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    const isLengthGood = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
    if (bits < 0 || !isLengthGood || rest.length > 0)
      throw new Error(
        `${prefix}TRUSTED_PROXIES must be addresses or networks (10.0.0.0/8) with commas between, not ${JSON.stringify(network)}.`,
      );
  }
  return networks;
}
