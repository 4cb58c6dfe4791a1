/** Decides, with the authority, when a certificate is renewed. */

import { X509Certificate } from "node:crypto";
import type { CertificateRenewal } from "../../../store/tables/certificates/certificate.ts";
import type { AcmeClient } from "../acme/acme-client.ts";
import { AcmeError } from "../acme/acme-error.ts";
import { renewalIdOf } from "../acme/renewal-id.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { defaultRenewal } from "../default-renewal.ts";
import { momentOf, nextAskAt } from "./order-policy.ts";

/**
 * Returns the renewal of a new certificate: at two thirds of its life, until the authority has said more. It is asked
 * at the next look: a certificate that has come is stored before anything else can fail.
 */
export function firstRenewal(directory: string, chain: string): CertificateRenewal {
  const renewAt = defaultRenewal(lifeOf(new X509Certificate(chain)));
  return { directory, renewAt, window: null, askAt: 0 };
}

/**
 * Asks the authority for its window of renewal. A window that moved is chosen from anew; an authority that
 * does not answer changes nothing.
 */
export async function askForWindow(
  { clock, random, logger }: CertificatesContext,
  { client, chain, renewal }: { client: AcmeClient; chain: string; renewal: CertificateRenewal },
): Promise<CertificateRenewal> {
  const certificate = new X509Certificate(chain);
  const found = await client.renewalWindow(renewalIdOf(certificate)).catch((error: unknown) => {
    if (!(error instanceof AcmeError)) throw error;
    const fields = { directory: renewal.directory, detail: error.message };
    logger.warn(fields, "an authority did not say when to renew a certificate");
    return null;
  });
  const askAt = nextAskAt(clock.now(), found?.askAt ?? null);
  const window = found === null ? renewal.window : `${found.beginsAt} ${found.endsAt}`;
  if (found === null || window === renewal.window) return { ...renewal, askAt };
  return { ...renewal, window, askAt, renewAt: momentOf(found, lifeOf(certificate), random) };
}

function lifeOf({ validFrom, validTo }: X509Certificate): { beginsAt: number; endsAt: number } {
  return { beginsAt: Date.parse(validFrom), endsAt: Date.parse(validTo) };
}
