/**
 * Finds out whether a domain that leads to somebody else's servers reaches us through them, as behind a CDN: our
 * gateways answer every `/.well-known/tijolo/<token>` with what only this cluster can know.
 */

import { Agent, request } from "undici";
import { checkedLookup } from "../outbound/checked-lookup.ts";
import type { DomainProofs } from "./wanted-records.ts";

export interface WellKnownOptions {
  /** Port of HTTP. Default: 80. */
  port?: number;
  /** True when addresses in private networks may be asked, as at home. */
  mayReachPrivate?: boolean;
}

/** True when the server at one of the addresses answers as our gateways do. */
export type AnswerThroughOthers = (question: {
  hostname: string;
  addresses: readonly string[];
  token: string;
}) => Promise<boolean>;

const wellKnownPath = "/.well-known/tijolo/";
const tokenPattern = /^\/\.well-known\/tijolo\/([0-9a-z]{26})$/;
const totalMs = 5_000;
const maxBytes = 4_096;

/** Returns the token of such a path; null for any other. */
export function tokenOfPath(path: string): string | null {
  return tokenPattern.exec(path)?.[1] ?? null;
}

/** Follows no redirect, and reads 4 KB at most. */
export function throughOthers(
  proofs: DomainProofs,
  { port = 80, mayReachPrivate = false }: WellKnownOptions,
): AnswerThroughOthers {
  return async ({ hostname, addresses, token }) => {
    const lookup = checkedLookup(async () => [...addresses], { mayReachPrivate });
    const dispatcher = new Agent({ connections: 1, connect: { timeout: totalMs, lookup } });
    try {
      const answer = await request(`http://${hostname}:${port}${wellKnownPath}${token}`, {
        dispatcher,
        signal: AbortSignal.timeout(totalMs),
        headers: { "user-agent": "Tijolo" },
      });
      answer.body.on("error", () => {}); // what is not read ends with an error
      if (answer.statusCode !== 200) return false;
      let text = "";
      for await (const chunk of answer.body) {
        text += String(chunk);
        if (text.length > maxBytes) return false;
      }
      return text.trim() === proofs.answerTo(token);
    } catch {
      return false;
    } finally {
      dispatcher.destroy().catch(() => {});
    }
  };
}
