/** Looks, before each order, for what would make the authority refuse it. */

import { isAllowedAddress } from "../../outbound/private-address.ts";
import type { NameProofs } from "../acme/order-certificate.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { mayIssue } from "./caa.ts";
import { OrderError } from "./order-error.ts";
import { checkReach, maxAskedAddresses } from "./reach.ts";

/** Longest time of all questions for CAA records: each name has many names above it, in zones of its owner's choice. */
const caaMs = 30_000;

/**
 * Throws an `OrderError` for a name that authorities would not reach us by. A resolver that does not answer is
 * no fault of the name: the authority has its own.
 */
export async function checkNames(
  app: Pick<CertificatesContext, "acme" | "random">,
  names: readonly string[],
  { proofs, thumbprint, signal }: { proofs: NameProofs; thumbprint: string; signal: AbortSignal },
): Promise<void> {
  const { dns, httpPort, mayReachPrivate } = app.acme;
  for (const name of names) {
    const kind = proofs.kindFor(name, false);
    if (name.startsWith("*.") || kind === "dns-01") continue;
    const found = await dns.findAddresses(name, signal).catch(() => null);
    signal.throwIfAborted();
    if (found === null) continue;
    if (found.length === 0) throw new OrderError("no_address", `${name} has no address in DNS`);
    if (kind === "tls-alpn-01") continue; // asked once the proof is there
    const addresses = found
      .filter((address) => isAllowedAddress(address, { mayReachPrivate }))
      .slice(0, maxAskedAddresses);
    await checkReach(name, { addresses, thumbprint, random: app.random }, { port: httpPort, signal });
  }
}

/** Throws an `OrderError` `caa` when a domain's records keep this authority out. */
export async function checkCaa(
  { acme }: Pick<CertificatesContext, "acme">,
  names: readonly string[],
  { identities, signal }: { identities: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(caaMs)]);
  const find = (name: string) => acme.dns.findCaa(name, deadline).catch((): string[] => []);
  for (const name of names) {
    const isAllowed = await mayIssue(name, { identities, find });
    signal.throwIfAborted();
    if (!isAllowed)
      throw new OrderError("caa", `a CAA record of ${name} does not allow ${identities.join(", ")}`);
  }
}
