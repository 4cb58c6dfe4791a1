/** Opens the key of central's accounts with ACME authorities: one for all of them. */

import { createPrivateKey, type KeyObject } from "node:crypto";
import { transact } from "../../../store/store.ts";
import { findAcmeKey, insertAcmeKey } from "../../../store/tables/certificates/acme-key.ts";
import { newId } from "../../new-id.ts";
import { acmeKeyContext } from "../../secrets/acme-key-context.ts";
import { VaultError } from "../../secrets/vault.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { newPrivateKey } from "../new-certificate.ts";

/** Returns the key; the first call makes it. Returns null while it cannot be opened. */
export async function ensureAcmeKey(app: CertificatesContext): Promise<KeyObject | null> {
  const row =
    (await findAcmeKey(app.db)) ??
    (app.vault.currentKeyId === undefined ? undefined : await makeAcmeKey(app));
  if (row === undefined) return null;
  try {
    return createPrivateKey(app.vault.open(acmeKeyContext(row.id), row.sealed));
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

function makeAcmeKey(app: CertificatesContext) {
  const id = newId(app);
  const pem = newPrivateKey().export({ type: "pkcs8", format: "pem" }).toString();
  const made = { id, sealed: app.vault.seal(acmeKeyContext(id), pem), createdAt: app.clock.now() };
  return transact(app.db, async (tx) => {
    const known = await findAcmeKey(tx);
    if (known === undefined) await insertAcmeKey(tx, made);
    return known ?? made;
  });
}
