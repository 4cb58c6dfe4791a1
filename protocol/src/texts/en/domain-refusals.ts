/** Says why a name cannot be a site's domain. */

import type { domainRefusals as pt } from "../pt/domain-refusals.ts";

export const domainRefusals: typeof pt = {
  malformed: "Write the name alone, like www.exemplo.com.br: letters, digits and hyphens, with dots between.",
  ip_address: "It is an IP address; use a name.",
  one_label: "Its end is missing, like .com.br.",
  public_suffix: "It is an ending under which anybody registers names; use your name below it.",
  too_long: "It has more than 253 characters.",
  special_use: "It is a reserved name, which does not exist on the internet.",
  own_name: "It is a name of the service itself.",
  not_a_site: "The project is a bot; only a site has domains.",
  alreadyHere: "It is in this account already; remove it from the other project first.",
};
