/** Makes and deletes network namespaces, each joined to the host by a routed veth pair of its own. */

import { readFileSync } from "node:fs";
import { access, readdir, writeFile } from "node:fs/promises";
import { exec } from "../host/exec.ts";
import { makeOpenDirectory } from "../host/files/open-files.ts";
import { gateway } from "./gateway-address.ts";

export interface Namespace {
  /** Name of the host-side interface. */
  interface: string;
  /** Name of the namespace, below /run/netns. */
  name: string;
  address: string;
}

const directory = "/run/netns";
const timeoutMs = 15_000;
const largestMtu = 65_535;

export function namespacePath(name: string): string {
  return `${directory}/${name}`;
}

/**
 * Makes namespaces ready for a container: its address and its way out are set, it may listen on every port,
 * and has no IPv6. When one fails, none is left.
 */
export async function makeNamespaces(namespaces: readonly Namespace[]): Promise<void> {
  try {
    await ipBatch([], namespaces.flatMap(hostSide));
    await Promise.all(
      namespaces.map(async (namespace) => {
        await Promise.all([
          ipBatch(["-netns", namespace.name], insideOf(namespace)),
          setInside(namespace),
          disableIpv6(namespace),
        ]);
      }),
    );
  } catch (error) {
    await deleteNamespaces(namespaces).catch(() => {}); // what stays is collected by the next reconciliation
    throw error;
  }
}

/**
 * Prepares a namespace for much that goes to this machine alone: nothing is lost on the way, so that packets may
 * be large and need no pace. With BBR, which some machines set for their own ways out, each byte waits for a timer.
 */
export async function speedUpNamespace({ interface: link, name }: Namespace): Promise<void> {
  const enter = ["nsenter", `--net=${namespacePath(name)}`];
  const setting = "net.ipv4.tcp_congestion_control=reno"; // which every kernel has
  await exec([...enter, "sysctl", "--quiet", "--ignore", "--write", setting], { timeoutMs });
  await ipBatch([], [`link set dev ${link} mtu ${largestMtu}`]);
  await ipBatch(["-netns", name], [`link set dev eth0 mtu ${largestMtu}`]);
}

/** Cuts namespaces off and deletes them; parts that are missing are no error. */
export async function deleteNamespaces(
  namespaces: readonly Pick<Namespace, "interface" | "name">[],
): Promise<void> {
  const [links, names] = [new Set(await listInterfaces()), new Set(await listNamespaces())];
  const commands = namespaces.flatMap(({ interface: link, name }) => [
    ...(names.has(name) ? [`netns delete ${name}`] : []),
    ...(links.has(link) ? [`link delete dev ${link}`] : []),
  ]);
  // A link may go with its namespace while the batch runs.
  if (commands.length > 0) await ipBatch(["-force"], commands, [0, 1]);
}

/** True when the namespace and its interface exist. */
export async function hasNamespace({
  interface: link,
  name,
}: Pick<Namespace, "interface" | "name">): Promise<boolean> {
  return Promise.all([access(`/sys/class/net/${link}`), access(namespacePath(name))]).then(
    () => true,
    () => false,
  );
}

export async function listInterfaces(): Promise<string[]> {
  return readdir("/sys/class/net");
}

export async function listNamespaces(): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/**
 * Reads the host's counters of every interface by its name, from the project's point of view, in one read:
 * for hundreds of interfaces it costs a tenth of single reads.
 */
export function readAllTraffic(): Map<string, { receivedBytes: number; sentBytes: number }> {
  const lines = readFileSync("/proc/net/dev", "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [name, counters] = line.split(":");
      if (name === undefined || counters === undefined) return [];
      const numbers = counters.trim().split(/ +/);
      return [[name.trim(), { receivedBytes: Number(numbers[8]), sentBytes: Number(numbers[0]) }]];
    }),
  );
}

function hostSide({ interface: link, name, address }: Namespace): string[] {
  return [
    `netns add ${name}`,
    `link add ${link} type veth peer name eth0 netns ${name}`,
    `address add ${gateway}/32 dev ${link}`,
    `link set dev ${link} up`,
    `route add ${address}/32 dev ${link} scope link`,
  ];
}

function insideOf({ address }: Namespace): string[] {
  return [
    "link set dev lo up",
    `address add ${address}/32 dev eth0`,
    "link set dev eth0 up",
    `route add ${gateway} dev eth0 scope link`,
    `route add default via ${gateway} dev eth0`,
  ];
}

async function setInside({ name }: Namespace): Promise<void> {
  const settings = [
    "net.ipv4.ip_unprivileged_port_start=0",
    "net.ipv6.conf.all.disable_ipv6=1",
    "net.ipv6.conf.default.disable_ipv6=1",
  ];
  await exec(
    ["nsenter", `--net=${namespacePath(name)}`, "sysctl", "--quiet", "--ignore", "--write", ...settings],
    { timeoutMs },
  );
}

async function disableIpv6({ interface: link }: Namespace): Promise<void> {
  await writeFile(`/proc/sys/net/ipv6/conf/${link}/disable_ipv6`, "1").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error; // a kernel without IPv6
    },
  );
}

async function ipBatch(
  options: readonly string[],
  commands: readonly string[],
  okCodes: readonly number[] = [0],
): Promise<void> {
  await makeOpenDirectory(directory);
  await exec(["ip", ...options, "-batch", "-"], { input: `${commands.join("\n")}\n`, timeoutMs, okCodes });
}
