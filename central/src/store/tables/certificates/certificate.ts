/** Reads and writes the table `certificate`. */

import { z } from "zod";
import type { Schema } from "../../schema.ts";
import type { Reader, Transaction } from "../../store.ts";
import type { Sealed } from "../sealed.ts";

const nameList = z.array(z.string());

/**
 * `authority`: the local one's own; `local`: signed by it; `acme`: ordered from an ACME authority; `own`: an
 * operator's; `domain`: brought by the owner of a domain, for its name alone.
 */
export const certificateKinds = ["authority", "local", "acme", "own", "domain"] as const;
const certificateKind = z.enum(certificateKinds);
export type CertificateKind = (typeof certificateKinds)[number];

export interface CertificateRow {
  id: string;
  kind: CertificateKind;
  /** Host names and addresses, in order. An authority's: the domains that it signs for. */
  names: string[];
  /** Chain in PEM: the certificate first, then those that signed it. */
  chain: string;
  /** Private key in PEM, sealed. */
  sealed: Sealed;
  beginsAt: number;
  endsAt: number;
  createdAt: number;
  /** How it is renewed; null for one that was not ordered. */
  renewal: CertificateRenewal | null;
  /** The domain whose owner brought it; null for all other kinds. */
  domainId: string | null;
}

export interface CertificateRenewal {
  /** Address of the ACME directory that it came from. */
  directory: string;
  renewAt: number;
  /** Window of the authority that `renewAt` was chosen from; null: it has told none. */
  window: string | null;
  /** Time when the authority is asked again. */
  askAt: number;
}

export async function findAuthorityRow(db: Reader): Promise<CertificateRow | undefined> {
  const row = await db
    .selectFrom("certificate")
    .selectAll()
    .where("kind", "=", "authority")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return row === undefined ? undefined : certificateOfRow(row);
}

/** Returns all certificates but the authority's own, oldest first. */
export async function listCertificates(db: Reader): Promise<CertificateRow[]> {
  const rows = await db
    .selectFrom("certificate")
    .selectAll()
    .where("kind", "!=", "authority")
    .orderBy("id")
    .execute();
  return rows.map(certificateOfRow);
}

/** Returns those that gateways may serve, oldest first: without those of domains that are not active. */
export async function listServableCertificates(db: Reader): Promise<CertificateRow[]> {
  const rows = await db
    .selectFrom("certificate")
    .leftJoin("domain", "domain.id", "certificate.domain_id")
    .selectAll("certificate")
    .where("certificate.kind", "!=", "authority")
    .where((where) =>
      where.or([where("certificate.domain_id", "is", null), where("domain.status", "=", "active")]),
    )
    .orderBy("certificate.id")
    .execute();
  return rows.map(certificateOfRow);
}

/** Returns what the owner of a domain brought for it. */
export async function findCertificateOfDomain(
  db: Reader,
  domainId: string,
): Promise<CertificateRow | undefined> {
  const row = await db
    .selectFrom("certificate")
    .selectAll()
    .where("domain_id", "=", domainId)
    .executeTakeFirst();
  return row === undefined ? undefined : certificateOfRow(row);
}

export async function insertCertificate(tx: Transaction, certificate: CertificateRow): Promise<void> {
  const { id, kind, names, chain, sealed, beginsAt, endsAt, createdAt, renewal, domainId } = certificate;
  await tx
    .insertInto("certificate")
    .values({
      id,
      kind,
      names: JSON.stringify(names),
      chain,
      key_id: sealed.keyId,
      ciphertext: sealed.ciphertext,
      begins_at: beginsAt,
      ends_at: endsAt,
      created_at: createdAt,
      domain_id: domainId,
      ...renewalColumns(renewal),
    })
    .execute();
  tx.wake("certificates");
}

export async function saveRenewal(
  tx: Transaction,
  { id, renewal }: { id: string; renewal: CertificateRenewal },
): Promise<void> {
  await tx.updateTable("certificate").set(renewalColumns(renewal)).where("id", "=", id).execute();
}

export async function deleteCertificate(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom("certificate").where("id", "=", id).execute();
  tx.wake("certificates");
}

/**
 * Returns the certificates whose keys another master key than `keyId` has sealed, in the order of their ids,
 * from behind the id `after`.
 */
export async function listCertificatesOfOtherKeys(
  db: Reader,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<Pick<CertificateRow, "id" | "sealed">[]> {
  const rows = await db
    .selectFrom("certificate")
    .select(["id", "key_id", "ciphertext"])
    .where("key_id", "!=", keyId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, sealed: { keyId: row.key_id, ciphertext: row.ciphertext } }));
}

/** Replaces the sealed key, which stays the same inside. */
export async function saveCertificateSeal(
  tx: Transaction,
  { id, sealed }: Pick<CertificateRow, "id" | "sealed">,
): Promise<void> {
  await tx
    .updateTable("certificate")
    .set({ key_id: sealed.keyId, ciphertext: sealed.ciphertext })
    .where("id", "=", id)
    .execute();
}

/** Returns how many keys of certificates each master key has sealed. */
export async function countCertificatesByKey(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("certificate")
    .select((select) => ["key_id", select.fn.countAll<number>().as("count")])
    .groupBy("key_id")
    .execute();
  return new Map(rows.map((row) => [row.key_id, Number(row.count)]));
}

function certificateOfRow(row: Schema["certificate"]): CertificateRow {
  return {
    id: row.id,
    kind: certificateKind.parse(row.kind),
    names: nameList.parse(JSON.parse(row.names)),
    chain: row.chain,
    sealed: { keyId: row.key_id, ciphertext: row.ciphertext },
    beginsAt: row.begins_at,
    endsAt: row.ends_at,
    createdAt: row.created_at,
    domainId: row.domain_id,
    renewal:
      row.directory === null || row.renew_at === null
        ? null
        : {
            directory: row.directory,
            renewAt: row.renew_at,
            window: row.renewal_window,
            askAt: row.renewal_ask_at ?? row.renew_at,
          },
  };
}

function renewalColumns(renewal: CertificateRenewal | null) {
  return {
    directory: renewal?.directory ?? null,
    renew_at: renewal?.renewAt ?? null,
    renewal_window: renewal?.window ?? null,
    renewal_ask_at: renewal?.askAt ?? null,
  };
}
