/** Hands gateways the certificates that they serve. */

import type { GatewayCertificate } from "@tijolo/protocol";
import { listCertificates } from "../../store/tables/certificates/certificate.ts";
import type { CertificatesContext } from "./certificates-context.ts";
import { openPrivateKey } from "./new-certificate.ts";

export interface SealedCertificate extends Omit<GatewayCertificate, "privateKey"> {
  /** Private key in PEM; null while central cannot open it: a gateway goes on with the one it has. */
  privateKey: string | null;
}

/**
 * Returns all certificates that gateways serve; of two for a name the later one counts, which is an operator's
 * where there is one. The topic `certificates` wakes when the list changes.
 */
export async function listGatewayCertificates(
  app: Pick<CertificatesContext, "db" | "vault">,
): Promise<SealedCertificate[]> {
  const rows = await listCertificates(app.db);
  const inOrder = [
    ...rows.filter(({ kind }) => kind !== "own"),
    ...rows.filter(({ kind }) => kind === "own"),
  ];
  return inOrder.map((row) => ({
    id: row.id,
    names: row.names,
    chain: row.chain,
    privateKey: openPrivateKey(app, row),
  }));
}
