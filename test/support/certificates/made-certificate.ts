/** Makes certificates that somebody could bring: signed by an authority of the tests, dated by the real clock. */

import { createPublicKey, randomBytes } from "node:crypto";
import { newPrivateKey } from "../../../central/src/app/certificates/new-certificate.ts";
import { signServer } from "../../../central/src/app/certificates/x509/sign-certificate.ts";

const dayMs = 24 * 60 * 60 * 1000;
const issuer = { name: "Somebody's authority", privateKey: newPrivateKey() };

/** Returns a certificate for these names and its key, both in PEM; it ends in 30 days. */
export function certificateFor(...names: string[]): { certificate: string; privateKey: string } {
  const key = newPrivateKey();
  const validity = { beginsAt: Date.now() - dayMs, endsAt: Date.now() + 30 * dayMs };
  const publicKey = createPublicKey(key);
  const certificate = signServer(issuer, { names, publicKey, validity, random: randomBytes });
  return { certificate, privateKey: key.export({ type: "pkcs8", format: "pem" }).toString() };
}
