/** Reads and writes the file with the gateway's settings, which systemd hands to it. */

import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { writeWhole } from "../file-steps.ts";
import { gatewaySettings } from "../../start/setting-names.ts";
import { gatewayFiles } from "../places.ts";
import { settingLines, takeSettings } from "../take-settings.ts";
import type { Undo } from "../steps.ts";

/**
 * Settings that the first installation takes from the environment it is called in, without the prefix. The
 * installer fetches HAProxy to where the service may not write, so its directory is none of them.
 */
export const gatewaySettingNames: readonly string[] = [
  ...gatewaySettings.filter((name) => name !== "TOOLS_DIRECTORY"),
  "HTTP_LISTEN",
  "LOG_LEVEL",
];

export interface GatewaySettings {
  httpListen: string;
  /** Null: there is no HTTPS. */
  httpsListen: string | null;
  /** Writes the file where it is missing; an operator's own is never changed. */
  write(): Promise<Undo | null>;
}

/** Returns the settings of the file; where it is missing, those of the environment. */
export async function readGatewaySettings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GatewaySettings> {
  const text = await readFile(gatewayFiles.settings, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const taken = takeSettings(environment, gatewaySettingNames);
  const settings: Record<string, string | undefined> = text === null ? taken : parseEnv(text);
  const written = `# Settings of the gateway: docs/settings.md. After a change: systemctl restart tijolo-gateway\n${settingLines(taken)}`;
  const https = settings["TIJOLO_HTTPS_LISTEN"] || "0.0.0.0:443";
  return {
    httpListen: settings["TIJOLO_HTTP_LISTEN"] || "0.0.0.0:80",
    httpsListen: https === "off" ? null : https,
    write: async () =>
      text === null ? writeWhole({ path: gatewayFiles.settings, text: written, mode: 0o600 }) : null,
  };
}

/** Returns the addresses of sites, with `*` for the subdomain: over HTTPS where there is, and over plain HTTP. */
export function sitePatterns(
  { httpListen, httpsListen }: Pick<GatewaySettings, "httpListen" | "httpsListen">,
  siteDomain: string,
): { https: string | null; http: string } {
  const pattern = (scheme: string, listen: string, usualPort: string) => {
    const port = listen.split(":").at(-1) ?? usualPort;
    return `${scheme}://*.${siteDomain}${port === usualPort ? "" : `:${port}`}/`;
  };
  return {
    https: httpsListen === null ? null : pattern("https", httpsListen, "443"),
    http: pattern("http", httpListen, "80"),
  };
}
