/** Defines the context of rules about certificates. */

import type { NotingContext } from "../notices/notices-context.ts";
import type { SecretsContext } from "../secrets/secrets-context.ts";
import type { AcmeServer } from "./acme/acme-client.ts";
import type { Challenges } from "./orders/challenges.ts";
import type { DnsRecords, GatewayProof, RunDnsHook } from "./orders/name-proofs.ts";

export interface CertificatesContext extends SecretsContext, NotingContext {
  /** Host names that certificates are about. */
  servedNames: ServedNames;
  acme: AcmeParts;
}

export interface ServedNames {
  /** Domain below which sites have their subdomains. */
  siteDomain: string;
  /** Host name of the panel and the API; null: reached at a bare address only. */
  panelHost: string | null;
}

/** Defines the dependencies of certificate orders. */
export interface AcmeParts {
  /** Authorities in the order in which they are asked; none: all certificates are local. */
  servers: readonly AcmeServer[];
  /** Address of the directory where the first authority lets clients practise; null: there is none. */
  stagingUrl: string | null;
  /** Mail address that authorities may write to. */
  contact: string | null;
  /** Certificates in PEM that authorities' own TLS may be signed by, beside the usual ones. */
  moreRoots: string | null;
  /** Null: nothing is proved by DNS, and there are no wildcards. */
  runHook: RunDnsHook | null;
  dns: CertificateDns;
  /** How gateways prove the names that no hook proves. */
  challenge: GatewayProof;
  challenges: Challenges;
  /** Port at which authorities ask for the answers to challenges. */
  httpPort: number;
  /** Port at which they look at certificates that prove names over TLS. */
  tlsPort: number;
  /** True when names may lead into private networks, as at home. */
  mayReachPrivate: boolean;
}

export interface CertificateDns extends DnsRecords {
  /** Returns the addresses of a name, as a visitor would find them. */
  findAddresses(name: string, signal: AbortSignal): Promise<string[]>;
  /** Returns the CAA records of exactly this name as `<flags> <tag> <value>`. */
  findCaa(name: string, signal: AbortSignal): Promise<string[]>;
}
