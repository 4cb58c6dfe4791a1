/** Central's configuration, from environment variables; a variable with our prefix that is not known is an error. */

import { join } from "node:path";

export interface CentralConfig {
  dataDirectory: string;
  listen: Address;
  gatewayListen: Address;
  /** Sites are `<subdomain>.<siteDomain>`. */
  siteDomain: string;
  /** Public address of a site with `*` in the place of its subdomain. */
  siteUrlPattern: string;
  /** Where the first operator's token is left for whoever started central. */
  bootstrapFile: string;
}

export interface Address {
  host: string;
  port: number;
}

const prefix = "TIJOLO_";

/** Throws with a sentence that names the variable. */
export function parseConfig(environment: Record<string, string | undefined>): CentralConfig {
  const left = new Map(Object.entries(environment).filter(([name]) => name.startsWith(prefix)));
  const take = (name: string, fallback: string) => {
    const value = left.get(prefix + name) ?? fallback;
    left.delete(prefix + name);
    return value;
  };
  const dataDirectory = take("DATA_DIRECTORY", "/var/lib/tijolo/central");
  const gatewayListen = parseAddress("GATEWAY_LISTEN", take("GATEWAY_LISTEN", "127.0.0.1:8081"));
  const siteDomain = take("SITE_DOMAIN", "localhost");
  const config: CentralConfig = {
    dataDirectory,
    listen: parseAddress("LISTEN", take("LISTEN", "127.0.0.1:8080")),
    gatewayListen,
    siteDomain,
    siteUrlPattern: take("SITE_URL_PATTERN", `http://*.${siteDomain}:${gatewayListen.port}/`),
    bootstrapFile: take("BOOTSTRAP_FILE", join(dataDirectory, "first-operator-token")),
  };
  take("LOG_LEVEL", ""); // the logger is there before the configuration
  const [unknown] = left.keys();
  if (unknown !== undefined) throw new Error(`${unknown} is not a setting of central. Remove it, or check its spelling.`);
  if (!config.siteUrlPattern.includes("*")) throw new Error(`${prefix}SITE_URL_PATTERN needs a * in the place of the subdomain.`);
  return config;
}

function parseAddress(name: string, text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || !(port >= 0 && port <= 65_535))
    throw new Error(`${prefix}${name} must be host:port, not ${JSON.stringify(text)}.`);
  return { host, port };
}
