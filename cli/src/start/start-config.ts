/**
 * Parses the configuration of `npm start` from environment variables, and derives what central and the agent
 * get of it.
 */

import { join } from "node:path";
import { agentSettings, centralSettings, gatewaySettings } from "./setting-names.ts";

export interface StartConfig {
  /** Runtime. `process`: without root and without isolation, for development. */
  runtime: "nspawn" | "process";
  dataDirectory: string;
  bootstrapFile: string;
  joinTokenFile: string;
  /** Path of the link with which the first person begins; central removes it once there is one. */
  startLinkFile: string;
  /** Path of the key of a first start that has not come to its end. */
  firstKeyFile: string;
  logsDirectory: string;
  /** Returns the whole environment, so that neither program gets a variable of the other. */
  centralEnvironment: Record<string, string>;
  agentEnvironment: Record<string, string>;
  gatewayEnvironment: Record<string, string>;
  /** `host:port` at which visitors of sites arrive. */
  sitesListen: string;
  /** Addresses of sites behind the gateway, with `*` for the subdomain; `https` is null where it is off. */
  sitePatterns: { http: string; https: string | null };
  /** Path of the token with which the gateway joins; central writes it at each start. */
  gatewayTokenFile: string;
  /** What central gets in addition when a gateway stands before it: it serves beside the visitors' address. */
  behindGateway: Record<string, string>;
}

const prefix = "TIJOLO_";
const defaultSitesListen = "127.0.0.1:8081";
const httpsPort = 8443;
/** Settings of both programs, or of the command `tijolo`, which a person may have set in the same shell. */
const otherSettings = [
  "DATA_DIRECTORY",
  "LOG_LEVEL",
  "LANG",
  "URL",
  "KEY",
  "EMAIL",
  "OPERATOR_TOKEN",
  "DEBUG",
];

/** Parses the configuration. Throws with a sentence that names the variable. */
export function parseStartConfig(environment: Readonly<Record<string, string | undefined>>): StartConfig {
  const known = new Set(
    [...centralSettings, ...agentSettings, ...gatewaySettings, ...otherSettings].map((name) => prefix + name),
  );
  const unknown = Object.keys(environment).find((name) => name.startsWith(prefix) && !known.has(name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not a setting of npm start. Remove it, or check its spelling.`);
  const runtime = environment["TIJOLO_RUNTIME"] || "nspawn";
  if (runtime !== "nspawn" && runtime !== "process")
    throw new Error(`TIJOLO_RUNTIME (--runtime) must be nspawn or process, not ${JSON.stringify(runtime)}.`);
  const dataDirectory = environment["TIJOLO_DATA_DIRECTORY"] || defaultDirectory(runtime, environment);
  if (!dataDirectory.startsWith("/"))
    throw new Error(`TIJOLO_DATA_DIRECTORY must be an absolute path, not ${JSON.stringify(dataDirectory)}.`);
  const bootstrapFile = join(dataDirectory, "central", "first-operator-token");
  const joinTokenFile = join(dataDirectory, "join-token");
  const gatewayTokenFile = join(dataDirectory, "gateway-token");
  const sitesListen = environment["TIJOLO_GATEWAY_LISTEN"] || defaultSitesListen;
  const httpsListen =
    environment["TIJOLO_HTTPS_LISTEN"] ||
    `${sitesListen.slice(0, sitesListen.lastIndexOf(":"))}:${httpsPort}`;
  const siteDomain = environment["TIJOLO_SITE_DOMAIN"] || "localhost";
  const sitePatterns = patternsOf({ sitesListen, httpsListen }, siteDomain);
  // Elsewhere visitors are sent from HTTP to HTTPS.
  const hasPlainSites = sitePatterns.https !== null && siteDomain === "localhost";
  const common = pick(environment, (name) => !name.startsWith(prefix) || name === "TIJOLO_LOG_LEVEL");
  return {
    runtime,
    sitesListen,
    sitePatterns,
    gatewayTokenFile,
    behindGateway: {
      TIJOLO_GATEWAY_LISTEN: "127.0.0.1:0",
      TIJOLO_GATEWAY_TOKEN_FILE: gatewayTokenFile,
      TIJOLO_SITE_URL_PATTERN:
        environment["TIJOLO_SITE_URL_PATTERN"] || (sitePatterns.https ?? sitePatterns.http),
      ...(hasPlainSites ? { TIJOLO_PLAIN_SITE_URL_PATTERN: sitePatterns.http } : {}),
    },
    gatewayEnvironment: {
      ...common,
      ...pick(environment, (name) => gatewaySettings.includes(name.slice(prefix.length))),
      TIJOLO_DATA_DIRECTORY: join(dataDirectory, "gateway"),
      TIJOLO_JOIN_TOKEN_FILE: gatewayTokenFile,
      TIJOLO_HTTP_LISTEN: sitesListen,
      TIJOLO_HTTPS_LISTEN: httpsListen,
      TIJOLO_STOPS_HAPROXY: "yes",
    },
    dataDirectory,
    bootstrapFile,
    joinTokenFile,
    startLinkFile: join(dataDirectory, "central", "start-link"),
    firstKeyFile: join(dataDirectory, "first-key"),
    logsDirectory: join(dataDirectory, "logs-of-services"),
    centralEnvironment: {
      ...common,
      ...pick(environment, (name) => centralSettings.includes(name.slice(prefix.length))),
      TIJOLO_DATA_DIRECTORY: join(dataDirectory, "central"),
      TIJOLO_BOOTSTRAP_FILE: bootstrapFile,
    },
    agentEnvironment: {
      ...common,
      ...pick(environment, (name) => agentSettings.includes(name.slice(prefix.length))),
      TIJOLO_DATA_DIRECTORY: join(dataDirectory, "agent"),
      TIJOLO_JOIN_TOKEN_FILE: joinTokenFile,
    },
  };
}

function patternsOf(
  { sitesListen, httpsListen }: { sitesListen: string; httpsListen: string },
  siteDomain: string,
): StartConfig["sitePatterns"] {
  const pattern = (scheme: string, listen: string) =>
    `${scheme}://*.${siteDomain}:${listen.split(":").at(-1)}/`;
  return {
    http: pattern("http", sitesListen),
    https: httpsListen === "off" ? null : pattern("https", httpsListen),
  };
}

/** Returns the default directory; a user without rights has one of their own. */
function defaultDirectory(
  runtime: StartConfig["runtime"],
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (runtime === "nspawn") return "/var/lib/tijolo";
  return join(environment["XDG_DATA_HOME"] || join(environment["HOME"] || "/", ".local", "share"), "tijolo");
}

function pick(
  environment: Readonly<Record<string, string | undefined>>,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  const wanted = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0]),
  );
  return Object.fromEntries(wanted);
}
