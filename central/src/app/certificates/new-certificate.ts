/** Makes rows of certificates, with their private keys sealed, and opens those keys again. */

import { generateKeyPairSync, X509Certificate, type KeyObject } from "node:crypto";
import { AppError } from "@tijolo/protocol";
import type { CertificateRow } from "../../store/tables/certificates/certificate.ts";
import { newId } from "../new-id.ts";
import { certificateContext } from "../secrets/certificate-context.ts";
import { VaultError } from "../secrets/vault.ts";
import type { CertificatesContext } from "./certificates-context.ts";

/** Returns a new private key; each certificate has one of its own. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** Returns the row of a certificate, dated by itself. Throws a `VaultError` without a master key. */
export function newCertificate(
  app: Pick<CertificatesContext, "clock" | "random" | "vault">,
  parts: Pick<CertificateRow, "kind" | "chain" | "renewal"> & {
    names: readonly string[];
    privateKey: KeyObject;
    domainId?: string;
  },
): CertificateRow {
  const { kind, names, chain, privateKey, renewal, domainId = null } = parts;
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const id = newId(app);
  const certificate = new X509Certificate(chain);
  return {
    id,
    kind,
    names: [...names],
    chain,
    sealed: app.vault.seal(certificateContext(id), pem),
    beginsAt: Date.parse(certificate.validFrom),
    endsAt: Date.parse(certificate.validTo),
    createdAt: app.clock.now(),
    renewal,
    domainId,
  };
}

/** Returns the row as {@link newCertificate} does. Throws `variables_unavailable` without a master key. */
export function sealCertificate(...given: Parameters<typeof newCertificate>): CertificateRow {
  try {
    return newCertificate(...given);
  } catch (cause) {
    if (cause instanceof VaultError) throw new AppError("variables_unavailable", { cause });
    throw cause;
  }
}

/** Opens a certificate's private key, in PEM; null when its master key is gone, or it is damaged. */
export function openPrivateKey(
  { vault }: Pick<CertificatesContext, "vault">,
  { id, sealed }: Pick<CertificateRow, "id" | "sealed">,
): string | null {
  try {
    return vault.open(certificateContext(id), sealed);
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
