/** Makes containers trust the certificate authorities that the host trusts, an operator's own among them. */

import { existsSync } from "node:fs";

export interface ContainerTrust {
  bindReadOnly: { source: string; target: string }[];
  /** Variables with defaults: a project's own variables of the same names win. */
  environment: Record<string, string>;
}

const hostBundles = [
  "/etc/ssl/certs/ca-certificates.crt", // Debian
  "/etc/pki/tls/certs/ca-bundle.crt", // Fedora
  "/etc/ssl/cert.pem", // Alpine
];

const bundleInContainer = "/etc/ssl/certs/ca-certificates.crt";

/**
 * Returns what each container must have bound and set; nothing on a host without a bundle, where the image's
 * own bundle is used.
 */
export function containerTrust(hostBundle = hostBundles.find((path) => existsSync(path))): ContainerTrust {
  if (hostBundle === undefined) return { bindReadOnly: [], environment: {} };
  return {
    bindReadOnly: [{ source: hostBundle, target: bundleInContainer }],
    environment: Object.fromEntries(bundleVariables.map((name) => [name, bundleInContainer])),
  };
}

/** Variables of OpenSSL and Python, Node, pip, requests, curl, git. */
const bundleVariables = [
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "PIP_CERT",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
];
