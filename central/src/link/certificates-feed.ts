/** Tells a gateway which certificates it is to serve, in parts, and again after each change. */

import type { CertificatesUpdate } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { GatewayBackend } from "../app/gateways/gateway-backend.ts";

/** Certificates in one part of an update: some hundred kilobytes. */
const certificatesPerPart = 50;

/** Milliseconds after which the list is read again: certificates end without anybody's word. */
const lookEveryMs = 10 * 60_000;

export interface CertificatesWay {
  drained: () => Promise<void>;
  /** False where others may read along: then no certificate is sent. */
  isPrivate: boolean;
  signal: AbortSignal;
}

/** Yields what the gateway lacks beside those that it holds, then each change. */
export async function* certificatesFeed(
  backend: Pick<
    GatewayBackend,
    "listCertificates" | "listChallenges" | "listProofs" | "onCertificatesChange"
  >,
  from: { held: readonly string[] },
  { drained, isPrivate, signal }: CertificatesWay,
): AsyncGenerator<CertificatesUpdate> {
  const change = new Latch();
  const unsubscribe = backend.onCertificatesChange(() => change.set());
  let held = new Set(from.held);
  let told: string | undefined;
  try {
    while (!signal.aborted) {
      const all = isPrivate ? await backend.listCertificates() : [];
      const challenges = backend.listChallenges();
      const proofs = isPrivate ? backend.listProofs() : [];
      const ofOrders = proofs.length === 0 ? {} : { proofs };
      // Where others may read along the gateway goes on with what it holds.
      const ids = isPrivate ? all.map(({ id }) => id) : [...held];
      const missing = all.flatMap(({ privateKey, ...certificate }) =>
        privateKey === null || held.has(certificate.id) ? [] : [{ ...certificate, privateKey }],
      );
      const now = JSON.stringify([ids, challenges, proofs, missing.map(({ id }) => id)]);
      if (now !== told) {
        for (let sent = 0; sent === 0 || sent < missing.length; sent += certificatesPerPart) {
          const isLast = sent + certificatesPerPart >= missing.length;
          const certificates = missing.slice(sent, sent + certificatesPerPart);
          yield { certificates, ids: isLast ? ids : null, challenges, ...ofOrders };
          await drained();
        }
        const sent = new Set(missing.map(({ id }) => id));
        // The gateway erases what it is not to serve: it lacks that when it is to serve it again.
        held = new Set(ids.filter((id) => held.has(id) || sent.has(id)));
        told = JSON.stringify([ids, challenges, proofs, []]);
      }
      await change.wait({ signal, timeoutMs: lookEveryMs });
    }
  } finally {
    unsubscribe();
  }
}
