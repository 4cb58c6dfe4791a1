/** Hands gateways the certificates that they serve. */

import type { GatewayCertificate } from "@tijolo/protocol";
import {
  listServableCertificates,
  type CertificateRow,
} from "../../store/tables/certificates/certificate.ts";
import type { CertificatesContext } from "./certificates-context.ts";
import { openPrivateKey } from "./new-certificate.ts";
import { isFor } from "./own-certificate.ts";

/** Milliseconds before its end; longer than the pause between two looks of a gateway's feed. */
const givesWayMs = 30 * 60_000;

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
  const all = await listServableCertificates(app.db);
  const rows = all.filter((row) => row.kind !== "domain" || isServed(row, { all, now }));
  const rank = ({ kind }: CertificateRow) => (kind === "domain" ? 2 : kind === "own" ? 1 : 0);
  const inOrder = rows.toSorted((one, other) => rank(one) - rank(other));
  return inOrder.map((row) => ({
    id: row.id,
    names: row.names,
    chain: row.chain,
    privateKey: openPrivateKey(app, row),
  }));
}

/** True for one that the owner of a domain brought, until its end; a little before that it gives way to another. */
function isServed(
  { id, names, endsAt }: CertificateRow,
  { all, now }: { all: readonly CertificateRow[]; now: number },
): boolean {
  if (endsAt > now + givesWayMs) return true;
  const isReplaced = all.some(
    (other) => other.id !== id && other.endsAt > endsAt && names.every((name) => isFor(other.names, name)),
  );
  return endsAt > now && !isReplaced;
}
