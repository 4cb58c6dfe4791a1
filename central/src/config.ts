/** Parses central's configuration from environment variables; an unknown one with our prefix is an error. */

import { maxMorePackages, parseMorePackages } from "@tijolo/protocol";
import { parseLogLevel, type LogLevel } from "@tijolo/protocol/kit";
import { isIPv4, isIPv6 } from "node:net";
import { join } from "node:path";
import { parseAcme, type AcmeSettings } from "./acme-settings.ts";
import { parseNetwork, type Ipv4Network } from "./app/mesh/ipv4-network.ts";
import type { MailSettings } from "./app/people/mail.ts";
import type { MasterKeySettings } from "./app/secrets/master-key-source.ts";

export interface CentralConfig {
  dataDirectory: string;
  /** Directory with the `releases` and `packages` that other machines are installed from. */
  installFilesDirectory: string;
  listen: Address;
  gatewayListen: Address;
  /** Directory of the tables `geoip` and `geoip6` of Debian's tor-geoipdb; without them no country is known. */
  countriesDirectory: string;
  /** Address of the link over TLS, for hosts elsewhere; null: only that of the API serves it. */
  linkListen: Address | null;
  /** `https://host:port` at which hosts reach {@link linkListen}; null: hosts are installed by hand. */
  linkUrl: string | null;
  /** Network of the addresses of all projects, of which each host has a range. */
  clusterNetwork: Ipv4Network;
  /** Domain of sites, which are `<subdomain>.<siteDomain>`. */
  siteDomain: string;
  /** Public address of a site with `*` in the place of its subdomain. */
  siteUrlPattern: string;
  /** The same over HTTP, where browsers do not know who signed the certificate of the other; null: there is none. */
  plainSiteUrlPattern: string | null;
  /** Addresses that visitors of sites come to; none: those that DNS has for the site domain. */
  gatewayAddresses: string[];
  /** Path where the first operator's token is left for the person who started central. */
  bootstrapFile: string;
  /**
   * Path where each start leaves a token with which a gateway joins, for the person who started central; null:
   * nowhere.
   */
  gatewayTokenFile: string | null;
  /** Path of the operator's changes of plans and limits; null: the defaults. */
  plansFile: string | null;
  /** Addresses and networks of proxies whose `X-Forwarded-For` and `-Proto` count; none: no proxy's. */
  trustedProxies: string[];
  masterKeys: MasterKeySettings;
  acme: AcmeSettings;
  /** System packages that projects may ask for beside the specification's. */
  morePackages: string[];
  /** Hours that the projects of a suspended account run on, unless the operator sets another time. */
  suspensionGraceHours: number;
  /**
   * Address where people reach the panel; null: central's own address. With https its cookies only travel
   * over TLS.
   */
  panelUrl: string | null;
  /** Directory of the built panel, which may appear while central runs. */
  panelDirectory: string;
  signUp: "open" | "invitation" | "closed";
  mail: MailSettings;
  /** True when webhooks of notices may go to private networks, as at home. */
  mayPostToPrivate: boolean;
  logLevel: LogLevel;
}

export interface Address {
  host: string;
  port: number;
  /** Descriptor of a listening socket that systemd holds; it is used in place of host and port. */
  fd?: number;
}

/** Variables that hold a key or a password: never in diagnostic reports or child processes. */
export const secretVariables = ["TIJOLO_MASTER_KEYS", "TIJOLO_SMTP_URL"] as const;

const prefix = "TIJOLO_";
/** Directory beside the programs' sources in which a release carries its panel. */
const releasedPanel = join(import.meta.dirname, "..", "..", "panel");
const maxHours = 8_760;

/**
 * Parses the variables. `sockets` are those that systemd holds, `api` and `sites`. Throws with a sentence that
 * names the wrong variable.
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  sockets: ReadonlyMap<string, number> = new Map(),
): CentralConfig {
  const left = new Map(Object.entries(environment).filter(([name]) => name.startsWith(prefix)));
  const take = (name: string, fallback: string) => {
    const value = left.get(prefix + name) ?? fallback;
    left.delete(prefix + name);
    return value;
  };
  const dataDirectory = take("DATA_DIRECTORY", "/var/lib/tijolo/central");
  const held = (name: string) => {
    const fd = sockets.get(name);
    return fd === undefined ? {} : { fd };
  };
  const gatewayListen = {
    ...parseAddress("GATEWAY_LISTEN", take("GATEWAY_LISTEN", "127.0.0.1:8081")),
    ...held("sites"),
  };
  const siteDomain = take("SITE_DOMAIN", "localhost");
  const config: CentralConfig = {
    dataDirectory,
    installFilesDirectory: take("INSTALL_FILES_DIRECTORY", "") || dataDirectory,
    listen: { ...parseAddress("LISTEN", take("LISTEN", "127.0.0.1:8080")), ...held("api") },
    gatewayListen,
    countriesDirectory: take("COUNTRIES_DIRECTORY", "/usr/share/tor"),
    linkListen: optionalAddress("LINK_LISTEN", take("LINK_LISTEN", ""), held("link")),
    linkUrl: parseLinkUrl(take("LINK_URL", "")),
    clusterNetwork: parseClusterNetwork(take("CLUSTER_CIDR", "10.200.0.0/13")),
    siteDomain,
    gatewayAddresses: parseAddresses("GATEWAY_ADDRESSES", take("GATEWAY_ADDRESSES", "")),
    siteUrlPattern: take("SITE_URL_PATTERN", `http://*.${siteDomain}:${gatewayListen.port}/`),
    plainSiteUrlPattern: take("PLAIN_SITE_URL_PATTERN", "") || null,
    gatewayTokenFile: take("GATEWAY_TOKEN_FILE", "") || null,
    plansFile: take("PLANS_FILE", "") || null,
    masterKeys: {
      credentialsDirectory: environment["CREDENTIALS_DIRECTORY"] || null,
      text: take("MASTER_KEYS", "") || null,
      file: take("MASTER_KEY_FILE", "") || null,
      ownFile: join(dataDirectory, "master-keys"),
    },
    acme: parseAcme(take),
    morePackages: parsePackages("MORE_SYSTEM_PACKAGES", take("MORE_SYSTEM_PACKAGES", "")),
    suspensionGraceHours: parseHours("SUSPENSION_GRACE_HOURS", take("SUSPENSION_GRACE_HOURS", "24")),
    panelUrl: parsePanelUrl(take("PANEL_URL", "")),
    panelDirectory: take("PANEL_DIRECTORY", "") || releasedPanel,
    signUp: parseSignUp(take("SIGN_UP", "invitation")),
    mail: parseMail(take("SMTP_URL", ""), take("MAIL_FROM", "")),
    mayPostToPrivate: parseYesNo(
      "WEBHOOKS_TO_PRIVATE_ADDRESSES",
      take("WEBHOOKS_TO_PRIVATE_ADDRESSES", "no"),
    ),
    trustedProxies: parseNetworks("TRUSTED_PROXIES", take("TRUSTED_PROXIES", "")),
    logLevel: parseLogLevel(take("LOG_LEVEL", "")),
    bootstrapFile: take("BOOTSTRAP_FILE", join(dataDirectory, "first-operator-token")),
  };
  const [unknown] = left.keys();
  if (unknown !== undefined)
    throw new Error(`${unknown} is not a setting of central. Remove it, or check its spelling.`);
  assertPattern("SITE_URL_PATTERN", config.siteUrlPattern);
  if (config.plainSiteUrlPattern !== null)
    assertPattern("PLAIN_SITE_URL_PATTERN", config.plainSiteUrlPattern);
  return config;
}

function assertPattern(name: string, pattern: string): void {
  if (!pattern.includes("*")) throw new Error(`${prefix}${name} needs a * in the place of the subdomain.`);
}

function parseHours(name: string, text: string): number {
  const hours = Number(text);
  if (/^\d{1,4}$/.test(text) && hours <= maxHours) return hours;
  throw new Error(
    `${prefix}${name} must be a whole number of hours up to ${maxHours}, not ${JSON.stringify(text)}.`,
  );
}

function parsePackages(name: string, text: string): string[] {
  const packages = parseMorePackages(text);
  if (packages !== null) return packages;
  throw new Error(
    `${prefix}${name} must be up to ${maxMorePackages} names of Debian packages (ffmpeg,chromium) with commas between, not ${JSON.stringify(text)}.`,
  );
}

function parsePanelUrl(text: string): string | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    throw new Error(`${prefix}PANEL_URL must be http(s)://host without a path, not ${JSON.stringify(text)}.`);
  }
  return url.origin;
}

function parseSignUp(text: string): CentralConfig["signUp"] {
  if (text === "open" || text === "invitation" || text === "closed") return text;
  throw new Error(`${prefix}SIGN_UP must be open, invitation or closed, not ${JSON.stringify(text)}.`);
}

/** Parses the mail server's address, which may hold a password, so that no message repeats it. */
function parseMail(smtpUrl: string, from: string): MailSettings {
  if (smtpUrl === "") return { smtpUrl: null, from };
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? ""))
    throw new Error(`${prefix}SMTP_URL must be smtp://… or smtps://….`);
  if (!from.includes("@"))
    throw new Error(`${prefix}MAIL_FROM must be an e-mail address when ${prefix}SMTP_URL is set.`);
  return { smtpUrl, from };
}

function parseYesNo(name: string, text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new Error(`${prefix}${name} must be yes or no, not ${JSON.stringify(text)}.`);
}

function parseNetworks(name: string, text: string): string[] {
  const networks = text.split(",").map((network) => network.trim());
  for (const network of networks) {
    const [address = "", length, ...rest] = network.split("/");
    const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    const isLengthGood = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
    if (network !== "" && (bits < 0 || !isLengthGood || rest.length > 0)) {
      throw new Error(
        `${prefix}${name} must be addresses or networks (10.0.0.0/8) with commas between, not ${JSON.stringify(network)}.`,
      );
    }
  }
  return networks.filter((network) => network !== "");
}

function parseAddresses(name: string, text: string): string[] {
  const addresses = text
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  const wrong = addresses.find((address) => !isIPv4(address) && !isIPv6(address));
  if (wrong === undefined) return addresses;
  throw new Error(`${prefix}${name} must be IP addresses with commas between, not ${JSON.stringify(wrong)}.`);
}

function optionalAddress(name: string, text: string, held: { fd?: number }): Address | null {
  return text === "" ? null : { ...parseAddress(name, text), ...held };
}

function parseLinkUrl(text: string): string | null {
  if (text === "") return null;
  if (/^https:\/\/(?:\[[0-9a-f:]+\]|[0-9A-Za-z.-]+):\d{1,5}$/.test(text)) return text;
  throw new Error(`${prefix}LINK_URL must be https://host:port, not ${JSON.stringify(text)}.`);
}

function parseClusterNetwork(text: string): Ipv4Network {
  const network = parseNetwork(text);
  const bits = Number(text.split("/")[1]);
  if (network !== undefined && bits >= 8 && bits <= 20) return network;
  throw new Error(
    `${prefix}CLUSTER_CIDR must be an IPv4 network from /8 to /20, as 10.200.0.0/13, not ${JSON.stringify(text)}.`,
  );
}

function parseAddress(name: string, text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || !(port >= 0 && port <= 65_535))
    throw new Error(`${prefix}${name} must be host:port, not ${JSON.stringify(text)}.`);
  return { host, port };
}
