import type { certificate as pt } from "../../pt/cli/certificate.ts";

export const certificate: typeof pt = {
  commands: {
    "cluster ca": "Shows the cluster's authority, in PEM, and how to trust it",
    "cluster certificate list": "Lists the certificates that gateways serve, and the orders that failed",
    "cluster certificate set": "Sets a certificate of yours, read from two files in PEM",
    "cluster certificate remove": "Removes a certificate of yours",
  },
  options: {
    certificateFile: "file of the chain, in PEM",
    keyFile: "file of the key, in PEM, without a passphrase",
  },
  texts: {
    authority: (name, domains) => `${name}: signs for ${domains} and what lies below them only.`,
    fingerprint: (sha256) => `SHA-256: ${sha256}`,
    until: (at) => `Good until ${at}.`,
    fields: { names: "Names", kind: "Kind", expires: "Good until", renews: "Renewed" },
    kinds: { local: "local", acme: "ordered", own: "own", domain: "the site's" },
    byYou: "by you",
    keyLocked: "its key does not open",
    failed: "Orders that failed:",
    failedOrder: (names, detail, next) => `  ${names}: ${detail} (next try: ${next})`,
    waiting: (count, names) =>
      `${count === 1 ? "1 new site waits" : `${count} new sites wait`} for a certificate, as an authority issues few in a week: ${names}${names.split(", ").length < count ? "…" : ""}. With TIJOLO_ACME_DNS_HOOK one wildcard serves them all.`,
    set: (names, until) => `Set for ${names}; good until ${until}.`,
    removed: "Removed.",
    howToTrust: [
      "To trust it, write it to a file: tijolo cluster ca > tijolo-ca.crt",
      "  Debian, Ubuntu: sudo cp tijolo-ca.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates",
      "  macOS: sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain tijolo-ca.crt",
      "  Windows: certutil -addstore Root tijolo-ca.crt",
      "  Firefox: Settings, Certificates, View Certificates, Authorities, Import",
      "  curl: curl --cacert tijolo-ca.crt https://…",
    ],
  },
};
