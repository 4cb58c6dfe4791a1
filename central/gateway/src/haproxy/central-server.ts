/** Writes how HAProxy reaches central's servers for visitors. */

import { isIP } from "node:net";
import { serverHeader, type CentralServers, type ServerAddress, type VisitorServer } from "@tijolo/protocol";
import { linkServerName } from "@tijolo/protocol/kit";
import type { GatewayConfig } from "../config.ts";

/** A central on another machine, which takes visits at the address of its link, over TLS. */
export interface FarCentral {
  address: ServerAddress;
  /** File with central's authority, in PEM: no other is trusted. */
  authorityFile: string;
}

/** Connections of one gateway to one of central's servers: visits of all sites shall leave central descriptors. */
const maxConnections = 4_000;

/** Returns how HAProxy reaches a central over TLS; null for one that says its servers' addresses itself. */
export function farCentralOf({
  centralUrl,
  centralAuthorityFile,
}: Pick<GatewayConfig, "centralUrl" | "centralAuthorityFile">): FarCentral | null {
  if (centralAuthorityFile === null) return null;
  const { hostname, port } = new URL(centralUrl);
  const address = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443) };
  return { address, authorityFile: centralAuthorityFile };
}

/** Returns central's servers as this gateway reaches them. */
export function serversOf(central: CentralServers, far: FarCentral | null): CentralServers {
  if (far === null) return central;
  return { ...central, pages: far.address, api: central.api && { ...central.api, ...far.address } };
}

/** Returns the lines of a backend for one of central's servers. */
export function centralServer(name: VisitorServer, address: ServerAddress, far: FarCentral | null): string {
  const server = `    server central ${textOf(address)} maxconn ${maxConnections}`;
  if (far === null) return `${server}\n`;
  const tls = `ssl alpn http/1.1 ssl-min-ver TLSv1.3 verify required ca-file ${far.authorityFile} verifyhost ${linkServerName} sni str(${linkServerName})`;
  const isNamed = isIP(address.host) === 0;
  return `    http-request set-header ${serverHeader} ${name}
${server} ${tls}${isNamed ? " resolvers machine init-addr libc,none" : ""}
`;
}

/** Returns the section that looks up central's name again and again; nothing where central has an address. */
export function centralResolvers(far: FarCentral | null): string {
  if (far === null || isIP(far.address.host) !== 0) return "";
  return `resolvers machine
    parse-resolv-conf
    hold valid 60s

`;
}

function textOf({ host, port }: ServerAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
