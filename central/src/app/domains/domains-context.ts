/** Defines the context of rules about sites' own domains, and makes its parts. */

import { Slots } from "@tijolo/protocol/kit";
import { findSetting, saveSetting } from "../../store/tables/setting.ts";
import { transact, type Database } from "../../store/store.ts";
import type { Random, SteadyClock } from "../clock.ts";
import { Dns, type DnsOptions } from "../dns/dns.ts";
import type { CertificatesContext } from "../certificates/certificates-context.ts";
import type { NotingContext } from "../notices/notices-context.ts";
import type { ProjectsContext } from "../projects/projects-context.ts";
import { GatewayAddresses } from "./gateway-addresses.ts";
import { VerifyRate } from "./verify-rate.ts";
import { DomainProofs } from "./wanted-records.ts";
import { throughOthers, type AnswerThroughOthers, type WellKnownOptions } from "./well-known.ts";

export interface DomainParts {
  dns: Dns;
  proofs: DomainProofs;
  gateways: GatewayAddresses;
  answersThroughOthers: AnswerThroughOthers;
  /** Checks that are under way. */
  slots: Slots;
  verifyRate: VerifyRate;
  /** Returns the names that the service itself is reached by. */
  ownNames: () => string[];
}

export interface DomainsContext extends ProjectsContext, NotingContext, CertificatesContext {
  domains: DomainParts;
}

/** Names where DNS and HTTP are asked; tests replace it. */
export type DomainLookups = DnsOptions & { wellKnown?: WellKnownOptions };

const keyBytes = 32;
export const checksAtOnce = 20;

export async function openDomains(
  db: Database,
  {
    clock,
    random,
    lookups,
    siteDomain,
    gatewayAddresses,
    ownNames,
  }: {
    clock: SteadyClock;
    random: Random;
    lookups: DomainLookups;
    siteDomain: string;
    gatewayAddresses: readonly string[];
    ownNames: () => string[];
  },
): Promise<DomainParts> {
  const dns = new Dns(lookups);
  const proofs = new DomainProofs(await openKey(db, random), siteDomain);
  const { mayReachPrivate = false } = lookups;
  return {
    dns,
    proofs,
    gateways: new GatewayAddresses({ set: gatewayAddresses, siteDomain, dns, clock }),
    answersThroughOthers: throughOthers(proofs, { mayReachPrivate, ...lookups.wellKnown }),
    slots: new Slots(checksAtOnce),
    verifyRate: new VerifyRate(clock),
    ownNames,
  };
}

/** Opens the key of the proofs; the first start makes it. Records in the world's DNS are made with it. */
async function openKey(db: Database, random: Random): Promise<Buffer> {
  const known = await findSetting(db, "domain_key");
  if (known !== undefined) return Buffer.from(known, "base64url");
  const key = Buffer.from(random(keyBytes));
  await transact(db, (tx) => saveSetting(tx, "domain_key", key.toString("base64url")));
  return key;
}
