/**
 * Lets projects' packets through the chains of other software that drop unknown packets: Docker sets the
 * policy of iptables' FORWARD chain to drop. Our own table still judges them: in the kernel an accept of one
 * chain is no accept of the next, only a drop is final.
 */

import { readFile } from "node:fs/promises";
import type { MachineNews } from "@tijolo/protocol";
import { z } from "zod/mini";
import type { Logger } from "pino";
import { exec } from "../host/exec.ts";
import type { InstanceNames } from "./instance-names.ts";

interface Chain {
  family: string;
  table: string;
  name: string;
}

export interface ForwardPolicyOptions {
  names: InstanceNames;
  logger: Pick<Logger, "info" | "warn">;
}

const listing = z.object({
  nftables: z.array(
    z.object({
      chain: z.optional(
        z.object({
          family: z.string(),
          table: z.string(),
          name: z.string(),
          hook: z.optional(z.string()),
          policy: z.optional(z.string()),
        }),
      ),
      rule: z.optional(z.object({ handle: z.number(), comment: z.optional(z.string()) })),
    }),
  ),
});

/** Chain of iptables itself, and the one that Docker keeps for others' rules and runs before its own. */
const iptablesForward: Chain = { family: "ip", table: "filter", name: "FORWARD" };
const dockerUser: Chain = { ...iptablesForward, name: "DOCKER-USER" };

export class ForwardPolicy {
  readonly #options: ForwardPolicyOptions;
  /** Rules that were reported already; each is reported once, not with every check. */
  readonly #toldOf = new Set<string>();

  constructor(options: ForwardPolicyOptions) {
    this.#options = options;
  }

  /**
   * Adds our rules where they are needed, and removes them where they are not any more. Others' own chains
   * are only reported.
   */
  async open(): Promise<void> {
    const chains = await listChains();
    const dropping = chains.filter(({ hook, policy }) => hook === "forward" && policy === "drop");
    const isIptablesDropping = dropping.some((chain) => isSame(chain, iptablesForward));
    const place = chains.some((chain) => isSame(chain, dockerUser)) ? dockerUser : iptablesForward;
    for (const chain of [dockerUser, iptablesForward].filter((each) =>
      chains.some((known) => isSame(known, each)),
    )) {
      if (isIptablesDropping && isSame(chain, place)) await this.#insert(chain);
      else await this.#remove(chain);
    }
    for (const chain of dropping) if (!isSame(chain, iptablesForward)) this.#tellOfNft(chain);
    if (await this.#isLegacyDropping()) this.#tellOfLegacy();
  }

  /** Removes our rules. */
  async close(): Promise<void> {
    const chains = await listChains();
    for (const chain of [dockerUser, iptablesForward])
      if (chains.some((known) => isSame(known, chain))) await this.#remove(chain);
  }

  async #insert(chain: Chain): Promise<void> {
    const handles = await this.#ownHandles(chain);
    if (handles.length === 2) return;
    const own = `"${this.#options.names.interfacePrefix}*"`;
    const { table } = this.#options.names;
    // With counters, as iptables writes its rules: its own listing then shows them.
    const rules = ["iifname", "oifname"].map(
      (side) => `insert rule ${place(chain)} ${side} ${own} counter accept comment "${table}"\n`,
    );
    await exec(["nft", "--file", "-"], { input: `${removals(chain, handles)}${rules.join("")}` });
    const news: MachineNews = { code: "forwarding_let_through" };
    this.#options.logger.info(
      { news, chain: place(chain) },
      "another program drops what this machine forwards; projects are let through",
    );
  }

  async #remove(chain: Chain): Promise<void> {
    const handles = await this.#ownHandles(chain);
    if (handles.length > 0) await exec(["nft", "--file", "-"], { input: removals(chain, handles) });
  }

  async #ownHandles({ family, table, name }: Chain): Promise<number[]> {
    const { stdout } = await exec(["nft", "--json", "--handle", "list", "chain", family, table, name]);
    const rules = listing.parse(JSON.parse(stdout)).nftables.flatMap(({ rule }) => rule ?? []);
    return rules.filter(({ comment }) => comment === this.#options.names.table).map(({ handle }) => handle);
  }

  #tellOfNft(chain: Chain): void {
    const own = `"${this.#options.names.interfacePrefix}*"`;
    this.#tell(
      place(chain),
      ["iifname", "oifname"].map((side) => `nft insert rule ${place(chain)} ${side} ${own} accept`),
    );
  }

  #tellOfLegacy(): void {
    const own = `${this.#options.names.interfacePrefix}+`;
    this.#tell(
      "iptables-legacy FORWARD",
      ["-i", "-o"].map((side) => `iptables-legacy -I FORWARD ${side} ${own} -j ACCEPT`),
    );
  }

  /**
   * Checks the rules of iptables-legacy, which `nft` does not list. The tool is asked only where such a table
   * is loaded: asking would load it.
   */
  async #isLegacyDropping(): Promise<boolean> {
    const loaded = await readFile("/proc/net/ip_tables_names", "utf8").catch(() => "");
    if (!loaded.split("\n").includes("filter")) return false;
    const own = `${this.#options.names.interfacePrefix}+`;
    const listed = await exec(["iptables-legacy", "--list-rules", "FORWARD"]).catch((error: unknown) =>
      this.#tellOfNoTool(error),
    );
    return (
      listed !== undefined &&
      listed.stdout.includes("-P FORWARD DROP") &&
      !listed.stdout.includes(`-i ${own} -j ACCEPT`)
    );
  }

  #tellOfNoTool(error: unknown): void {
    if (this.#toldOf.has("iptables-legacy")) return;
    this.#toldOf.add("iptables-legacy");
    this.#options.logger.warn(
      { err: error },
      "rules of iptables-legacy are loaded and cannot be looked at; if they drop what is forwarded, projects do not get out",
    );
  }

  #tell(chain: string, fix: readonly string[]): void {
    if (this.#toldOf.has(chain)) return;
    this.#toldOf.add(chain);
    this.#options.logger.warn(
      { chain, fix },
      "a chain of this machine drops what it does not know of what is forwarded; projects may not get out until it lets them through",
    );
  }
}

async function listChains() {
  const { stdout } = await exec(["nft", "--json", "list", "chains"]);
  return listing.parse(JSON.parse(stdout)).nftables.flatMap(({ chain }) => chain ?? []);
}

function isSame(one: Chain, other: Chain): boolean {
  return place(one) === place(other);
}

function place({ family, table, name }: Chain): string {
  return `${family} ${table} ${name}`;
}

function removals(chain: Chain, handles: readonly number[]): string {
  return handles.map((handle) => `delete rule ${place(chain)} handle ${handle}\n`).join("");
}
