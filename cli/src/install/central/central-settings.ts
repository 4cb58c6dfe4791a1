/** Reads and writes the file with central's settings, which systemd hands to it. */

import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { parseEnv } from "node:util";
import { centralSettings } from "../../start/setting-names.ts";
import { centralFiles } from "../places.ts";
import { writeWhole } from "../file-steps.ts";
import { sitePatterns, type GatewaySettings } from "../gateway/gateway-settings.ts";
import { settingLines, takeSettings } from "../take-settings.ts";
import type { ListenAddresses } from "./central-units.ts";
import type { Undo } from "../steps.ts";

const defaults = {
  TIJOLO_LISTEN: "127.0.0.1:8080",
  TIJOLO_GATEWAY_LISTEN: "127.0.0.1:8081",
} as const;
/** Network that central takes without a setting. */
export const defaultClusterNetwork = "10.200.0.0/13";
const linkPort = 8444;
const linkLocal = /^fe[89ab]/i;
const address = /^(?:\[[0-9a-fA-F:]+\]|[0-9A-Za-z.-]+):\d{1,5}$/;
/** Settings that the unit makes, and keys, which get a file of their own that central's user cannot read. */
const notForTheFile = ["INSTALL_FILES_DIRECTORY", "MASTER_KEYS", "MASTER_KEY_FILE"];
/** Settings of central that an operator may give, without the prefix; the unit makes the rest itself. */
export const takenFromEnvironment: readonly string[] = [
  ...centralSettings.filter((name) => !notForTheFile.includes(name)),
  "PLAIN_SITE_URL_PATTERN",
  "LOG_LEVEL",
];

export interface CentralSettings {
  listen: ListenAddresses;
  /** Network of the addresses of all projects. */
  clusterNetwork: string;
  /** Address of a site, with `*` for the subdomain; "" where central's default counts. */
  siteUrlPattern: string;
  /** Address at which people reach the panel; null: only this machine's. */
  panelUrl: string | null;
  /** Writes the file where it is missing; an operator's own is never changed. */
  write(): Promise<Undo | null>;
}

/**
 * Returns the settings of the file; where it is missing, what the first installation takes over: the
 * `TIJOLO_…` variables of the environment that it is called in. `gateway` is what stands before central on this
 * machine; null: nothing.
 */
export async function readCentralSettings(
  environment: Readonly<Record<string, string | undefined>>,
  gateway: Pick<GatewaySettings, "httpListen" | "httpsListen"> | null = null,
): Promise<CentralSettings> {
  const text = await readFile(centralFiles.settings, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const settings = text === null ? firstSettings(environment, gateway) : settingsOf(text);
  const link = settings["TIJOLO_LINK_LISTEN"];
  const listen = {
    api: checked("TIJOLO_LISTEN", settings["TIJOLO_LISTEN"] ?? defaults.TIJOLO_LISTEN),
    link: link === undefined || link === "" ? null : checked("TIJOLO_LINK_LISTEN", link),
    sites: checked(
      "TIJOLO_GATEWAY_LISTEN",
      settings["TIJOLO_GATEWAY_LISTEN"] ?? defaults.TIJOLO_GATEWAY_LISTEN,
    ),
  };
  const written = `# Settings of central: docs/settings.md. After a change: systemctl restart tijolo-central\n${settingLines(settings)}`;
  return {
    listen,
    clusterNetwork: settings["TIJOLO_CLUSTER_CIDR"] || defaultClusterNetwork,
    siteUrlPattern: settings["TIJOLO_SITE_URL_PATTERN"] ?? "",
    panelUrl: settings["TIJOLO_PANEL_URL"] || null,
    write: async () =>
      text === null ? writeWhole({ path: centralFiles.settings, text: written, mode: 0o600 }) : null,
  };
}

/**
 * Returns the settings that the first installation writes. `interfaces` are the machine's: their first address is
 * where other machines reach the link, until an operator puts a name in its place.
 */
export function firstSettings(
  environment: Readonly<Record<string, string | undefined>>,
  gateway: Pick<GatewaySettings, "httpListen" | "httpsListen"> | null,
  interfaces = networkInterfaces(),
): Record<string, string> {
  const own = ownAddress(interfaces);
  const settings: Record<string, string> = {
    ...defaults,
    TIJOLO_LINK_LISTEN: `${own.startsWith("[") ? "[::]" : "0.0.0.0"}:${linkPort}`,
    ...takeSettings(environment, takenFromEnvironment),
  };
  if (gateway !== null) {
    const domain = (settings["TIJOLO_SITE_DOMAIN"] ??= "localhost");
    const { https, http } = sitePatterns(gateway, domain);
    settings["TIJOLO_SITE_URL_PATTERN"] ??= https ?? http;
    if (https !== null && domain === "localhost") settings["TIJOLO_PLAIN_SITE_URL_PATTERN"] ??= http;
  }
  const link = settings["TIJOLO_LINK_LISTEN"];
  if (link !== "") settings["TIJOLO_LINK_URL"] ??= `https://${own}:${link?.split(":").at(-1)}`;
  return settings;
}

/** Returns an address that others reach, for a URL; the loopback where there is none. */
function ownAddress(interfaces: ReturnType<typeof networkInterfaces>): string {
  const reached = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal);
  const four = reached.find(({ family }) => family === "IPv4");
  const six = reached.find(({ family, address }) => family === "IPv6" && !linkLocal.test(address));
  return four?.address ?? (six === undefined ? "127.0.0.1" : `[${six.address}]`);
}

/** Returns the settings in the text of a file. */
function settingsOf(text: string): Record<string, string> {
  const entries = Object.entries(parseEnv(text));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? ""]));
}

function checked(name: string, value: string): string {
  if (address.test(value)) return value;
  throw new Error(`${centralFiles.settings}: ${name}=${JSON.stringify(value)}`);
}
