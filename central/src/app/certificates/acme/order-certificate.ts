/** Carries one order of a certificate through: proves each name, asks for the certificate, checks it. */

import { X509Certificate, type KeyObject } from "node:crypto";
import { certificateRequest } from "../x509/certificate-request.ts";
import type { AcmeClient } from "./acme-client.ts";
import { AcmeError } from "./acme-error.ts";
import type { Authorization, Problem } from "./acme-schemas.ts";

/** Kind of a challenge (RFC 8555, 8; RFC 8737, 3). */
export type ProofKind = "http-01" | "tls-alpn-01" | "dns-01";

/** Puts the proof of a name where the authority finds it. */
export interface NameProofs {
  /** Kind of challenge that is answered for this name; `isWildcard`: for all names below it. */
  kindFor(name: string, isWildcard: boolean): ProofKind;
  /** Resolves once the proof can be seen, with what removes it again. */
  present(proof: { kind: ProofKind; name: string; keyAuthorization: string }): Promise<() => Promise<void>>;
}

export interface CertificateOrder {
  names: readonly string[];
  privateKey: KeyObject;
  /** The renewed certificate by its ARI id; null: nothing is renewed. */
  replaces: string | null;
  proofs: NameProofs;
}

/** Returns the chain in PEM. Throws an `AcmeError`. */
export async function orderCertificate(client: AcmeClient, order: CertificateOrder): Promise<string> {
  const { names, privateKey, proofs } = order;
  const { body: begun, url } = await beginOrder(client, order);
  for (const each of begun.authorizations) await proveName(client, { url: each, proofs });
  const ready = await client.untilOrderLeft(url, ["pending"]);
  if (ready.status === "ready") await client.finalize(ready, certificateRequest(privateKey, names));
  const done = await client.untilOrderLeft(url, ["ready", "processing"]);
  if (done.status !== "valid" || done.certificate === undefined)
    throw new AcmeError("refused", textOf(done.error) ?? `the authority left the order "${done.status}"`);
  const chain = await client.download(done.certificate);
  checkChain(chain, order);
  return chain;
}

/** Begins the order; a server that does not accept what it replaces is asked again without that. */
async function beginOrder(client: AcmeClient, { names, replaces }: CertificateOrder) {
  try {
    return await client.newOrder(names, replaces);
  } catch (error) {
    const isAboutReplaced = replaces !== null && error instanceof AcmeError && error.fault === "refused";
    if (!isAboutReplaced) throw error;
    return client.newOrder(names, null);
  }
}

async function proveName(
  client: AcmeClient,
  { url, proofs }: { url: string; proofs: NameProofs },
): Promise<void> {
  const authorization = await client.authorization(url);
  if (authorization.status === "valid") return;
  const name = authorization.identifier.value;
  const kind = proofs.kindFor(name, authorization.wildcard === true);
  const challenge = authorization.challenges.find(({ type, token }) => type === kind && token !== undefined);
  if (authorization.status !== "pending" || challenge?.token === undefined)
    throw new AcmeError("refused", `the authority offers no ${kind} for ${name} (${authorization.status})`);
  const keyAuthorization = `${challenge.token}.${client.thumbprint}`;
  const remove = await proofs.present({ kind, name, keyAuthorization });
  try {
    await client.beginChallenge(challenge.url);
    const judged = await client.untilJudged(url);
    if (judged.status !== "valid") throw validationError(judged, kind);
  } finally {
    await remove();
  }
}

function validationError({ identifier, challenges, status }: Authorization, kind: string): AcmeError {
  const error = challenges.find(({ type }) => type === kind)?.error;
  const isCaa = error?.type.endsWith(":caa") === true;
  const detail = textOf(error) ?? `the authority left the proof "${status}"`;
  return new AcmeError(isCaa ? "caa" : "validation", `${identifier.value}: ${detail}`);
}

function textOf(problem: Problem | undefined): string | null {
  return problem === undefined || problem.detail === "" ? null : problem.detail;
}

/** Throws unless the chain begins with a certificate of this key for exactly these names. */
function checkChain(chain: string, { names, privateKey }: CertificateOrder): void {
  let certificate;
  try {
    certificate = new X509Certificate(chain);
  } catch (cause) {
    throw new AcmeError("nonsense", "the authority gave no certificate", { cause });
  }
  const given = (certificate.subjectAltName ?? "").split(", ").map((name) => name.replace(/^DNS:/, ""));
  if (given.toSorted().join() !== names.toSorted().join())
    throw new AcmeError("nonsense", `the authority's certificate is for other names: ${given.join(", ")}`);
  if (!certificate.checkPrivateKey(privateKey))
    throw new AcmeError("nonsense", "the authority's certificate is for another key");
}
