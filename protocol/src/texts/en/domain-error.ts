/** Says why a domain is not active, or soon will not be. */

import type { domainError as pt } from "../pt/domain-error.ts";

export const domainError: typeof pt = {
  dns_unreachable: () =>
    "The domain's name servers did not answer. Check that it is registered and that its name servers are up.",
  proof_missing: () =>
    "The record that proves that the domain is yours is not in DNS yet. Create it as it stands in records; it may take some minutes to appear.",
  not_pointing: () =>
    "The domain is yours, but it does not lead here yet. Create the CNAME, or the addresses, as they stand in records.",
  wrong_address: (addresses) =>
    `The domain is yours, but it also leads to ${addresses}, which is not here. Remove these addresses from DNS, or replace them by those in records.`,
  challenge_missing: () =>
    "The CNAME of _acme-challenge is missing: without it there is no certificate for a domain with *. Create it as it stands in records.",
  domain_taken: () =>
    "DNS proves that the domain is yours, but another account uses it and its proof is still there. Remove the record that is not this account's from DNS.",
  taken_over: () =>
    "Another account proved that the domain is its own, and your proof is no longer in DNS. If it is yours, create the record again and check.",
};
