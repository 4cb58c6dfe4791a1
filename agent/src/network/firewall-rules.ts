/** Builds the text of the instance's nftables table: constant rules over maps that grow with the projects. */

import { staticsPort, type InstanceNames } from "./instance-names.ts";
import { gateway } from "./gateway-address.ts";

/** A project, here or on another host. */
export interface FirewallEntry {
  /** Host-side interface that the project is behind; null: it is reached over the mesh. */
  interface: string | null;
  address: string;
  /** Mark of the account: projects with the same mark may talk to each other. Null: no account yet. */
  accountMark: number | null;
  /** Port at which gateways on other hosts reach the project; none unless it is a site that is up here. */
  sitePort?: number | null;
}

export interface FirewallSettings {
  names: InstanceNames;
  cidr: string;
  /**
   * Interface and address of the resolver's namespace, where the projects' queries to the gateway's port 53
   * are answered.
   */
  resolver: { interface: string; address: string };
  /** Namespace of the server of static sites, which this machine itself and gateways on other hosts reach. */
  statics: { interface: string; address: string };
  /** Addresses that may be reached on port 53 wherever they are. */
  resolvers: readonly string[];
  /** Addresses in the mesh of the hosts that have a gateway. */
  gateways: readonly string[];
  /** Open connections that one project may have to the outside. */
  connectionLimit: number;
}

/**
 * Limits for one project in the kernel: lookups to the resolver, above what the resolver itself allows it
 * (`resolver/fair-share.ts`), so that a flood costs no process anything; and the flows that it may have open
 * in the kernel's table of connections.
 */
const [lookupsPerSecond, lookupBurst, lookupFlows] = [400, 1_500, 8_000];

/**
 * Networks that are refused: private, link-local (metadata services), shared, loopback, multicast and
 * reserved networks, and Azure's metadata address.
 */
const refusedNetworks = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
];

/**
 * Returns the whole table, which replaces an earlier one in one transaction. Its chains accept by default and
 * judge only what comes from or goes to the instance's own interfaces: other software on the host is not
 * affected.
 */
export function tableText(settings: FirewallSettings, entries: readonly FirewallEntry[]): string {
  const { names, cidr, resolver, statics, resolvers, gateways, connectionLimit } = settings;
  const own = `"${names.interfacePrefix}*"`;
  const mesh = `"${names.meshInterface}"`;
  const marked = entries.filter((entry) => entry.accountMark !== null);
  return `add table inet ${names.table}
delete table inet ${names.table}
table inet ${names.table} {
  map accounts { type ipv4_addr : mark; ${elements(marked.map(accountElement))} }
  set members { type ipv4_addr . mark; ${elements(marked.map(memberElement))} }
  set sources { type ifname . ipv4_addr; ${elements(entries.flatMap(sourceElement))} }
  set sites { type ipv4_addr . inet_service; ${elements(entries.flatMap(siteElement))} }
  set gateways { type ipv4_addr; ${elements(gateways)} }
  set resolvers { type ipv4_addr; ${elements(resolvers)} }
  set refused { type ipv4_addr; flags interval; ${elements(refusedNetworks)} }
  set connections { type ipv4_addr; size 65536; flags dynamic; }
  set lookups { type ipv4_addr; size 65536; flags dynamic; }
  set lookup_flows { type ipv4_addr; size 65536; flags dynamic; }
  counter spoofed { }

  chain raw {
    type filter hook prerouting priority raw; policy accept;
    iifname ${mesh} meta nfproto ipv6 drop
    iifname != ${own} return
    meta nfproto ipv6 drop
    iifname . ip saddr != @sources counter name spoofed drop
  }

  chain names {
    type nat hook prerouting priority dstnat; policy accept;
    iifname ${own} ip daddr ${gateway} meta l4proto { tcp, udp } th dport 53 dnat ip to ${resolver.address}
  }

  chain input {
    type filter hook input priority filter; policy accept;
    iifname ${mesh} ct state established accept
    iifname ${mesh} drop
    iifname != ${own} return
    ct state established,related accept
    iifname "${statics.interface}" goto refuse
    ip daddr @resolvers meta l4proto { tcp, udp } th dport 53 goto within_limit
    icmp type echo-request limit rate 10/second accept
    limit rate 100/second goto refuse
    drop
  }

  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${mesh} oifname "${statics.interface}" goto to_statics
    iifname "${statics.interface}" oifname ${mesh} goto from_statics
    iifname "${statics.interface}" goto refuse
    oifname "${statics.interface}" goto refuse
    iifname ${own} oifname ${own} jump between_projects
    iifname ${mesh} goto from_mesh
    oifname ${mesh} goto to_mesh
    iifname "${resolver.interface}" goto from_resolver
    iifname ${own} jump to_outside
    oifname ${own} ct state established,related accept
    oifname ${own} goto refuse
  }

  chain between_projects {
    iifname "${resolver.interface}" ct state established accept
    oifname "${resolver.interface}" ip daddr ${resolver.address} meta l4proto { tcp, udp } th dport 53 goto to_resolver
    jump within_account
    goto refuse
  }

  chain from_mesh {
    oifname != ${own} drop
    oifname "${resolver.interface}" drop
    ip saddr @gateways goto from_gateway
    jump within_account
    drop
  }

  chain from_gateway {
    ct state established,related accept
    ip daddr . tcp dport @sites accept
    goto refuse
  }

  chain to_statics {
    ip saddr != @gateways drop
    ct state established,related accept
    ip daddr ${statics.address} tcp dport ${staticsPort} accept
    goto refuse
  }

  chain from_statics {
    ip daddr @gateways ct state established,related accept
    goto refuse
  }

  chain to_mesh {
    iifname != ${own} drop
    ip daddr @gateways ct state established,related accept
    tcp flags syn tcp option maxseg size set rt mtu
    jump within_account
    goto refuse
  }

  chain within_account {
    ct state new add @connections { ip saddr ct count over ${connectionLimit} } drop
    meta mark set 0
    meta mark set ip saddr map @accounts
    ip daddr . meta mark @members meta mark set 0 accept
    meta mark set 0
  }

  chain to_resolver {
    meta l4proto tcp ct state established accept
    add @lookups { ip saddr limit rate over ${lookupsPerSecond}/second burst ${lookupBurst} packets } drop
    ct state new add @lookup_flows { ip saddr ct count over ${lookupFlows} } drop
    accept
  }

  chain from_resolver {
    ct state established,related accept
    ip daddr @resolvers meta l4proto { tcp, udp } th dport 53 accept
    goto refuse
  }

  chain to_outside {
    ct state established,related accept
    ip daddr @resolvers meta l4proto { tcp, udp } th dport 53 goto within_limit
    ip daddr @refused goto refuse
    tcp dport 25 goto refuse
    goto within_limit
  }

  chain within_limit {
    ct state new add @connections { ip saddr ct count over ${connectionLimit} } drop
    accept
  }

  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }

  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    iifname ${mesh} ip saddr @gateways oifname ${own} snat ip to ${gateway}
    oifname ${mesh} return
    ip saddr ${cidr} oifname != ${own} masquerade
  }
}
`;
}

/** Returns commands that add one entry to a table, or give an existing one its account. */
export function additionText({ table }: Pick<InstanceNames, "table">, entry: FirewallEntry): string {
  const lines = sourceElement(entry).map((element) => `add element inet ${table} sources { ${element} }`);
  lines.push(...siteElement(entry).map((element) => `add element inet ${table} sites { ${element} }`));
  if (entry.accountMark !== null) {
    lines.push(`add element inet ${table} accounts { ${accountElement(entry)} }`);
    lines.push(`add element inet ${table} members { ${memberElement(entry)} }`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns commands that remove one entry from the table; its element must be exactly as given. */
export function removalText({ table }: Pick<InstanceNames, "table">, entry: FirewallEntry): string {
  return additionText({ table }, entry).replaceAll(/^add element/gm, "delete element");
}

function elements(items: readonly string[]): string {
  return items.length === 0 ? "" : `elements = { ${items.join(", ")} };`;
}

function sourceElement(entry: FirewallEntry): string[] {
  return entry.interface === null ? [] : [`"${entry.interface}" . ${entry.address}`];
}

function siteElement({ address, sitePort }: FirewallEntry): string[] {
  return sitePort == null ? [] : [`${address} . ${sitePort}`];
}

function accountElement(entry: FirewallEntry): string {
  return `${entry.address} : ${entry.accountMark}`;
}

function memberElement(entry: FirewallEntry): string {
  return `${entry.address} . ${entry.accountMark}`;
}
