/** The context of rules about certificates. */

import type { SecretsContext } from "../secrets/secrets-context.ts";

export interface CertificatesContext extends SecretsContext {
  /** Host names that certificates are about. */
  servedNames: ServedNames;
}

export interface ServedNames {
  /** Domain below which sites have their subdomains. */
  siteDomain: string;
  /** Host name of the panel and the API; null: reached at a bare address only. */
  panelHost: string | null;
}
