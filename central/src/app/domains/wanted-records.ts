/**
 * Says which DNS records a domain needs. What proves ownership is a keyed hash of account and hostname: a record
 * that one account left behind is worth nothing to another one, and nobody can make up another account's.
 */

import { createHmac } from "node:crypto";
import type { Hostname } from "./hostname.ts";

export interface WantedRecords {
  /** Name and value of the TXT record that proves ownership. */
  txtName: string;
  txtValue: string;
  /** Target of a CNAME, unique to account and hostname: it proves ownership, and leads here. */
  cnameTarget: string;
  /** Domain of all such targets: whatever account they are of, they lead here. */
  targetsDomain: string;
  /** Last part of the path under which a gateway answers, also through a CDN. */
  token: string;
  /** Name and target of the CNAME for the certificates of a wildcard; null for any other name. */
  challenge: { name: string; target: string } | null;
}

/** First label below the site domain of all targets of CNAMEs. */
export const targetsLabel = "dominios";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export class DomainProofs {
  readonly #key: Buffer;
  readonly #siteDomain: string;

  /** `key` must stay the same for as long as there are domains. */
  constructor(key: Buffer, siteDomain: string) {
    this.#key = key;
    this.#siteDomain = siteDomain.toLowerCase();
  }

  wantedOf(accountId: string, { hostname, base, isWildcard }: Hostname): WantedRecords {
    const hash = (purpose: string, length: number) =>
      this.#hash([purpose, accountId, hostname].join("\n"), length);
    const label = hash("cname", 16);
    const targetsDomain = `${targetsLabel}.${this.#siteDomain}`;
    return {
      txtName: `_tijolo.${base}`,
      txtValue: `tijolo-${hash("txt", 26)}`,
      cnameTarget: `${label}.${targetsDomain}`,
      targetsDomain,
      token: hash("token", 26),
      challenge: isWildcard
        ? { name: `_acme-challenge.${base}`, target: `${label}.acme.${targetsDomain}` }
        : null,
    };
  }

  /** Returns what a gateway answers under `/.well-known/tijolo/<token>`: only this cluster knows it. */
  answerTo(token: string): string {
    return this.#hash(`answer\n${token}`, 52);
  }

  /** Returns lower-case base32 of the first bits; at most 52 characters. */
  #hash(text: string, length: number): string {
    const bytes = createHmac("sha256", this.#key).update(text).digest();
    const bits = BigInt(`0x${bytes.toString("hex")}`) << 4n; // 260 bits: 52 digits
    return Array.from(
      { length },
      (_, index) => alphabet[Number((bits >> BigInt(255 - index * 5)) & 31n)] ?? "0",
    ).join("");
  }
}
