/** Texts of `tijolo domains …`. */

import type { domain as pt } from "../../pt/cli/domain.ts";

export const domain: typeof pt = {
  commands: {
    "domains list": "Lists a site's domains, with the DNS records that are wanted and those found",
    "domains add": "Adds an own domain to a site, and shows the DNS records that are missing",
    "domains verify": "Checks a domain's DNS now",
    "domains remove": "Removes a domain from a site",
    "domains certificate": "Brings a certificate of yours for a domain, read from two files in PEM",
  },
  options: {
    redirectTo: "sends visits to this name (308) instead of serving the site",
    removeCertificate: "removes the certificate that you brought",
  },
  texts: {
    none: "No domains. Add one: tijolo domains add www.example.com",
    statuses: { pending: "waits for DNS", active: "active", failed: "ended" },
    redirects: (target) => `→ ${target}`,
    checked: (time) => `checked ${time}`,
    notChecked: "not checked yet",
    byCname: "With a CNAME:",
    byAddresses: "Or with addresses and TXT:",
    onlyAddresses: "In DNS:",
    record: "Record",
    wanted: "Wanted",
    found: "Found",
    added:
      "Added. Create the records above in DNS; they are checked by themselves, or now: tijolo domains verify",
    removed: (hostname) => `${hostname} is gone. Remove its records from DNS, too.`,
    https: (state) => `HTTPS: ${state}`,
    certificates: {
      none: "nothing signs certificates for this name; bring one with tijolo domains certificate",
      pending: "the certificate is on its way",
      failed: "the order of the certificate failed, and is made again",
    },
    certificateUntil: (issuer, until, isOwn) =>
      `${isOwn ? "your certificate" : "certificate"} of ${issuer}, good until ${until}`,
    certificateRemoved: (hostname) => `The certificate that you brought for ${hostname} is gone.`,
    certificateOrRemove: "Say --certificate and --key, or --remove.",
  },
};
