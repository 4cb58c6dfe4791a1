/**
 * Puts the proofs of names where authorities look: gateways answer `http-01` for every name by themselves, or show
 * a certificate for `tls-alpn-01`, and `dns-01` is written by the operator's hook.
 */

import { setTimeout as delay } from "node:timers/promises";
import { dnsValueOf } from "../acme/jws.ts";
import type { NameProofs } from "../acme/order-certificate.ts";
import { OrderError } from "./order-error.ts";

/** Kinds of proofs that gateways give: at port 80, or at port 443. */
export const gatewayProofs = ["http-01", "tls-alpn-01"] as const;
export type GatewayProof = (typeof gatewayProofs)[number];

/** Runs the operator's hook; throws with what it printed when it fails or hangs. */
export type RunDnsHook = (
  action: "present" | "cleanup",
  record: { fqdn: string; value: string },
) => Promise<void>;

export interface DnsRecords {
  /** Returns the target of a name's CNAME; undefined where there is none. */
  findAlias(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the TXT records that each of the name's authoritative servers has. */
  findTextsAtEach(name: string, signal: AbortSignal): Promise<string[][]>;
}

export interface ProofOptions {
  siteDomain: string;
  /** Null: there is no hook, so nothing is proved by DNS. */
  runHook: RunDnsHook | null;
  dns: DnsRecords;
  /** How gateways prove names. */
  challenge: GatewayProof;
  /** Resolves once gateways show the proof of a name over TLS, with what ends that. */
  showByTls: (proof: { name: string; keyAuthorization: string }) => Promise<() => Promise<void>>;
  signal: AbortSignal;
}

const maxAliases = 8;
const lookEveryMs = 2_000;
/** Longest time until all name servers have the record. */
const seenMs = 120_000;

export function nameProofs(options: ProofOptions): NameProofs {
  const { siteDomain, runHook, dns, challenge, showByTls, signal } = options;
  return {
    kindFor: (name, isWildcard) => {
      const isOurs = name === siteDomain || name.endsWith(`.${siteDomain}`);
      return runHook !== null && (isWildcard || isOurs) ? "dns-01" : challenge;
    },
    async present({ kind, name, keyAuthorization }) {
      if (kind === "http-01") return async () => {};
      if (kind === "tls-alpn-01") return showByTls({ name, keyAuthorization });
      if (runHook === null)
        throw new OrderError("hook_failed", `${name} needs a DNS hook, and there is none`);
      const at = await followAliases(`_acme-challenge.${name}`, dns, signal);
      const record = { fqdn: `${at}.`, value: dnsValueOf(keyAuthorization) };
      const cleanUp = () => runHook("cleanup", record).catch(() => {});
      try {
        await runHook("present", record);
        await untilSeen(at, record.value, { dns, signal });
      } catch (error) {
        await cleanUp();
        throw error;
      }
      return cleanUp;
    },
  };
}

/** Returns where the record is written: a name may hand its proofs to another zone by a CNAME. */
async function followAliases(name: string, dns: DnsRecords, signal: AbortSignal): Promise<string> {
  let at = name;
  for (let step = 0; step < maxAliases; step++) {
    const alias = await dns.findAlias(at, signal);
    if (alias === undefined) return at;
    at = alias;
  }
  throw new OrderError("dns_not_seen", `the CNAMEs of ${name} lead on and on`);
}

/** Resolves once every name server has the record: the authority may ask any of them. */
async function untilSeen(
  name: string,
  value: string,
  { dns, signal }: Pick<ProofOptions, "dns" | "signal">,
): Promise<void> {
  const deadline = performance.now() + seenMs;
  for (;;) {
    const atEach = await dns.findTextsAtEach(name, signal).catch((): string[][] => []);
    signal.throwIfAborted();
    if (atEach.length > 0 && atEach.every((texts) => texts.includes(value))) return;
    if (performance.now() > deadline)
      throw new OrderError(
        "dns_not_seen",
        `not every name server has the TXT record of ${name} after two minutes`,
      );
    await delay(lookEveryMs, undefined, { signal });
  }
}
