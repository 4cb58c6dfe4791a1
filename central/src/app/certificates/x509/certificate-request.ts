/** Writes the request for a certificate (PKCS #10, RFC 2986). */

import { createPublicKey, sign, type KeyObject } from "node:crypto";
import { bitString, explicit, integer, objectId, sequence, setOf } from "./der.ts";
import { subjectNames } from "./extensions.ts";

const extensionRequest = "1.2.840.113549.1.9.14";
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";

/** Returns the request, as DER, for a certificate of these names with this key. */
export function certificateRequest(privateKey: KeyObject, names: readonly string[]): Buffer {
  const extensions = sequence(subjectNames(names, { isCritical: false }));
  const body = sequence(
    integer(Buffer.from([0])),
    sequence(),
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
    explicit(0, sequence(objectId(extensionRequest), setOf(extensions))),
  );
  const signature = sign("sha256", body, { key: privateKey, dsaEncoding: "der" });
  return sequence(body, sequence(objectId(ecdsaWithSha256)), bitString(signature));
}
