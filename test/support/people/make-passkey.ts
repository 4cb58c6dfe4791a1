/** Makes passkeys that no authenticator has, for tests of who may see and change them. */

import { randomBytes } from "node:crypto";
import { makeId } from "@tijolo/protocol";
import { insertPasskey } from "../../../central/src/store/tables/people/passkey.ts";
import { findPersonByEmail } from "../../../central/src/store/tables/people/person.ts";
import { transact } from "../../../central/src/store/store.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

/** Makes a passkey of the person with this e-mail; returns its id. */
export async function makePasskey({ central, clock }: TestCluster, email: string): Promise<string> {
  const id = makeId(clock.now(), randomBytes(10));
  await transact(central.app.db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    await insertPasskey(tx, {
      id,
      personId: person?.id ?? "",
      credentialId: randomBytes(16).toString("base64url"),
      rpId: "localhost",
      publicKey: "AQID",
      counter: 0,
      transports: [],
      name: "made",
      isSynced: false,
      createdAt: clock.now(),
      lastUsedAt: null,
    });
  });
  return id;
}
