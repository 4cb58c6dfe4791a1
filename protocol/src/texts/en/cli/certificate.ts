import type { certificate as pt } from "../../pt/cli/certificate.ts";

export const certificate: typeof pt = {
  commands: {
    "cluster ca": "Shows the cluster's authority, in PEM, and how to trust it",
  },
  options: {},
  texts: {
    authority: (name, domains) => `${name}: signs for ${domains} and what lies below them only.`,
    fingerprint: (sha256) => `SHA-256: ${sha256}`,
    until: (at) => `Good until ${at}.`,
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
