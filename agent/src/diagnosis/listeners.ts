/** Reads where the programs of a network namespace listen for connections. */

import { exec } from "../host/exec.ts";

export interface Listener {
  /** Address it listens on. `any`: every address; `loopback`: only from inside; `address`: another one. */
  on: "any" | "loopback" | "address";
  port: number;
}

const listening = "0A";

export async function readListeners(namespacePath: string): Promise<Listener[]> {
  // /proc/net is that of the namespace of the process that reads it. A kernel without IPv6 has no second
  // file. Only what listens: of thousands of connections the last MiB would be without it. 1: nothing does;
  // 2: a file is not there.
  const argv = [
    "nsenter",
    `--net=${namespacePath}`,
    "grep",
    "-hs",
    ` ${listening} `,
    "/proc/net/tcp",
    "/proc/net/tcp6",
  ];
  const { stdout } = await exec(argv, { timeoutMs: 5_000, okCodes: [0, 1, 2] });
  return parseListeners(stdout);
}

/** Parses the format of proc_net_tcp(5): addresses in hexadecimal, four bytes at a time, in machine order. */
export function parseListeners(text: string): Listener[] {
  const rows = [
    ...text.matchAll(
      /^\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /gm,
    ),
  ];
  return rows
    .filter(([, , , state]) => state === listening)
    .map(([, address = "", port = ""]) => ({ on: kindOf(address), port: Number.parseInt(port, 16) }));
}

function kindOf(address: string): Listener["on"] {
  if (/^0+$/.test(address)) return "any";
  const isLoopback =
    /^[0-9A-F]{6}7F$/.test(address) ||
    address === `${"0".repeat(24)}01000000` ||
    /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(address);
  return isLoopback ? "loopback" : "address";
}
