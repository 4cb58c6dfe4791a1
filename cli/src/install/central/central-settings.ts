/** Reads and writes the file with central's settings, which systemd hands to it. */

import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { parseEnv } from "node:util";
import { centralFiles } from "../places.ts";
import { writeWhole } from "../file-steps.ts";
import { gatewaySettingNames, sitePatterns, type GatewaySettings } from "../gateway/gateway-settings.ts";
import type { ListenAddresses } from "./central-units.ts";
import type { Undo } from "../steps.ts";

const defaults = {
  TIJOLO_LISTEN: "127.0.0.1:8080",
  TIJOLO_GATEWAY_LISTEN: "127.0.0.1:8081",
  TIJOLO_LINK_LISTEN: "0.0.0.0:8444",
} as const;
/** Values that a line of systemd's EnvironmentFile carries as they are, between quotes. */
const plainValue = /^[^"\\$`\n\r\0]*$/;
const address = /^(?:\[[0-9a-fA-F:]+\]|[0-9A-Za-z.-]+):\d{1,5}$/;
/** Settings that the unit makes itself, or that belong to others. */
const notForCentral = /^TIJOLO_(?:DATA_DIRECTORY|MASTER_KEYS|MASTER_KEY_FILE|LANG|RUNTIME|DEBUG)$/;
const namesOfGateway: readonly string[] = gatewaySettingNames;

export interface CentralSettings {
  listen: ListenAddresses;
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
  const settings = text === null ? takenOver(environment, gateway) : parseEnv(text);
  const link = settings["TIJOLO_LINK_LISTEN"];
  const listen = {
    api: checked("TIJOLO_LISTEN", settings["TIJOLO_LISTEN"] ?? defaults.TIJOLO_LISTEN),
    link: link === undefined || link === "" ? null : checked("TIJOLO_LINK_LISTEN", link),
    sites: checked(
      "TIJOLO_GATEWAY_LISTEN",
      settings["TIJOLO_GATEWAY_LISTEN"] ?? defaults.TIJOLO_GATEWAY_LISTEN,
    ),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
  const written = `# Settings of central: docs/settings.md. After a change: systemctl restart tijolo-central\n${lines.join("")}`;
  return {
    listen,
    siteUrlPattern: settings["TIJOLO_SITE_URL_PATTERN"] ?? "",
    panelUrl: settings["TIJOLO_PANEL_URL"] || null,
    write: async () =>
      text === null ? writeWhole({ path: centralFiles.settings, text: written, mode: 0o600 }) : null,
  };
}

function takenOver(
  environment: Readonly<Record<string, string | undefined>>,
  gateway: Pick<GatewaySettings, "httpListen" | "httpsListen"> | null,
): Record<string, string> {
  const settings: Record<string, string> = { ...defaults };
  for (const [name, value] of Object.entries(environment)) {
    if (!/^TIJOLO_[A-Z_]{1,60}$/.test(name) || notForCentral.test(name) || value === undefined) continue;
    if (namesOfGateway.includes(name)) continue;
    if (!plainValue.test(value)) throw new Error(`${name}: ${JSON.stringify(value)}`);
    settings[name] = value;
  }
  if (gateway !== null) {
    const domain = (settings["TIJOLO_SITE_DOMAIN"] ??= "localhost");
    const { https, http } = sitePatterns(gateway, domain);
    settings["TIJOLO_SITE_URL_PATTERN"] ??= https ?? http;
    if (https !== null && domain === "localhost") settings["TIJOLO_PLAIN_SITE_URL_PATTERN"] ??= http;
  }
  settings["TIJOLO_LINK_URL"] ??=
    `https://${ownAddress()}:${settings["TIJOLO_LINK_LISTEN"]?.split(":").at(-1)}`;
  return settings;
}

/** Returns the machine's first address that others reach; an operator puts a name in its place. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

function checked(name: string, value: string): string {
  if (address.test(value)) return value;
  throw new Error(`${centralFiles.settings}: ${name}=${JSON.stringify(value)}`);
}
