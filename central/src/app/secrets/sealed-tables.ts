/** Lists the tables whose documents the master keys seal, so that a rotation of the key forgets none. */

import type { Reader, Transaction } from "../../store/store.ts";
import { findAcmeKey, saveAcmeKeySeal } from "../../store/tables/certificates/acme-key.ts";
import {
  countCertificatesByKey,
  listCertificatesOfOtherKeys,
  saveCertificateSeal,
} from "../../store/tables/certificates/certificate.ts";
import {
  countChannelsByKey,
  listChannelsOfOtherKeys,
  saveChannelSeal,
} from "../../store/tables/notices/notice-channel.ts";
import type { Sealed } from "../../store/tables/sealed.ts";
import {
  countVariablesByKey,
  listVariablesOfOtherKeys,
  saveVariables,
} from "../../store/tables/projects/variable.ts";
import { acmeKeyContext } from "./acme-key-context.ts";
import { certificateContext } from "./certificate-context.ts";
import { channelContext } from "./channel-context.ts";
import { variablesContext } from "./variables-context.ts";

export interface SealedDocument {
  /** Place of the document in the order of the table. */
  place: string;
  /** Context that it was sealed with. */
  context: string;
  sealed: Sealed;
  save(tx: Transaction, sealed: Sealed): Promise<void>;
}

/**
 * Returns the documents that another master key than `keyId` has sealed, in the order of the table, from
 * behind the place `after`.
 */
export type SealedTable = (
  db: Reader,
  page: { keyId: string; after: string; limit: number },
) => Promise<SealedDocument[]>;

export const sealedTables: readonly SealedTable[] = [
  async (db, page) =>
    (await listVariablesOfOtherKeys(db, page)).map((row) => ({
      place: row.projectId,
      context: variablesContext(row.projectId),
      sealed: row.sealed,
      save: (tx, sealed) => saveVariables(tx, { ...row, sealed }),
    })),
  async (db, page) =>
    (await listChannelsOfOtherKeys(db, page)).map((row) => ({
      place: row.place,
      context: channelContext(row),
      sealed: row.sealed,
      save: (tx, sealed) => saveChannelSeal(tx, { ...row, sealed }),
    })),
  async (db, page) =>
    (await listCertificatesOfOtherKeys(db, page)).map((row) => ({
      place: row.id,
      context: certificateContext(row.id),
      sealed: row.sealed,
      save: (tx, sealed) => saveCertificateSeal(tx, { ...row, sealed }),
    })),
  async (db, { keyId, after }) => {
    const row = await findAcmeKey(db);
    if (row === undefined || row.sealed.keyId === keyId || row.id <= after) return [];
    const context = acmeKeyContext(row.id);
    const save = (tx: Transaction, sealed: Sealed) => saveAcmeKeySeal(tx, { ...row, sealed });
    return [{ place: row.id, context, sealed: row.sealed, save }];
  },
];

/** Returns how many documents each master key has sealed. */
export async function countSealedByKey(db: Reader): Promise<Map<string, number>> {
  const counts = await countVariablesByKey(db);
  for (const more of [await countChannelsByKey(db), await countCertificatesByKey(db)])
    for (const [keyId, count] of more) counts.set(keyId, (counts.get(keyId) ?? 0) + count);
  const acmeKeyId = (await findAcmeKey(db))?.sealed.keyId;
  if (acmeKeyId !== undefined) counts.set(acmeKeyId, (counts.get(acmeKeyId) ?? 0) + 1);
  return counts;
}
