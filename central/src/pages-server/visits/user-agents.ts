/**
 * Says what program a visitor uses, from its user agent. Parsing costs some 20 µs, so what was parsed is
 * cached, and each site may have so many new agents parsed in a while and no more.
 */

import bowser from "bowser";
import { isbot, isbotMatch } from "isbot";

export type UserAgent =
  | { kind: "bot"; name: string }
  | { kind: "person"; device: string; browser: string; system: string };

/** Characters of an agent that are read; longer ones are of nobody who should be told apart. */
export const agentLength = 512;
/** User agents in each of the two generations of the cache. */
const generationSize = 5_000;
const nameLength = 64;

const unnamed: UserAgent = { kind: "bot", name: "-" };
const unparsed: UserAgent = { kind: "person", device: "other", browser: "other", system: "other" };

export class UserAgents {
  #young = new Map<string, UserAgent>();
  #old = new Map<string, UserAgent>();

  /** Returns the agent; `mayParse` is asked before one that is not cached is parsed. */
  find(userAgent: string, mayParse: () => boolean): UserAgent {
    if (userAgent === "") return unnamed;
    const young = this.#young.get(userAgent);
    if (young !== undefined) return young;
    const old = this.#old.get(userAgent);
    if (old === undefined && !mayParse()) return unparsed;
    const agent = old ?? parseUserAgent(userAgent);
    if (this.#young.size >= generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(userAgent, agent);
    return agent;
  }
}

function parseUserAgent(userAgent: string): UserAgent {
  if (isbot(userAgent)) return { kind: "bot", name: botName(userAgent) };
  const { browser, os, platform } = bowser.parse(userAgent);
  return {
    kind: "person",
    device: shortName(platform.type ?? ""),
    browser: shortName(browser.name ?? ""),
    system: shortName(os.name ?? ""),
  };
}

/** Returns what gave the bot away, without its version. */
function botName(userAgent: string): string {
  const [name = ""] = (isbotMatch(userAgent) ?? "").split(/[/\d]/, 1);
  return shortName(name);
}

/** Returns a name that may be shown; bowser and isbot can hand on parts of what the visitor sent. */
function shortName(name: string): string {
  const printable = name.replace(/[^\x20-\x7e]/g, "").trim();
  return printable.slice(0, nameLength) || "other";
}
