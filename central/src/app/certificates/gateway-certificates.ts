/** Hands gateways the certificates that they serve. */

import type { GatewayCertificate } from "@tijolo/protocol";
import {
  listServableCertificates,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import type { CertificatesContext } from "./certificates-context.ts";
import { openPrivateKey } from "./new-certificate.ts";

export interface ServedCertificate extends Omit<GatewayCertificate, "privateKey"> {
  /** Private key in PEM; null while central cannot open it: a gateway goes on with the one it has. */
  privateKey: string | null;
}

/**
 * Returns all certificates that gateways serve; of two for a name the later one counts, which is an operator's
 * where there is one, or that of a domain's owner. The topics `certificates` and `domains` wake when the list
 * changes.
 */
export async function listGatewayCertificates(
  app: Pick<CertificatesContext, "db" | "vault" | "clock">,
): Promise<ServedCertificate[]> {
  const now = app.clock.now();
  // One that the owner of a domain brought gives way at its end: another may be there.
  const rows = (await listServableCertificates(app.db)).filter(
    ({ kind, endsAt }) => kind !== "domain" || endsAt > now,
  );
  const rank = ({ kind }: CertificateRow) => (kind === "domain" ? 2 : kind === "own" ? 1 : 0);
  const inOrder = rows.toSorted((one, other) => rank(one) - rank(other));
  return inOrder.map((row) => ({
    id: row.id,
    names: row.names,
    chain: row.chain,
    privateKey: openPrivateKey(app, row),
  }));
}
