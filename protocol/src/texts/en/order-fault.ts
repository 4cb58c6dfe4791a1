/** Says to the owner of a domain why it has no certificate yet. */

import type { orderFault as pt } from "../pt/order-fault.ts";

export const orderFault: typeof pt = {
  unreachable: "The authority that signs certificates does not answer. It is tried again by itself.",
  nonsense:
    "The authority that signs certificates gave an answer that nobody understands. It is tried again by itself.",
  rate_limited: "The authority that signs certificates asked to wait. It is tried again by itself.",
  refused: "The authority refused to sign for this name. Whoever runs the service sees the reason.",
  validation:
    "The authority did not find the proof of the name. Check that it leads here only, over IPv4 and IPv6.",
  caa: "A CAA record of the domain forbids this service's authority. Remove it from DNS, or add the authority.",
  no_address: "The name has no address in DNS, and the authority has nowhere to look.",
  wrong_address: "The name leads to an address, too, that does not answer for us. Remove it from DNS.",
  hook_failed:
    "The record that proves the name could not be written. Whoever runs the service sees the reason.",
  dns_not_seen:
    "The record that proves the name did not appear at the name servers. It is tried again by itself.",
};
