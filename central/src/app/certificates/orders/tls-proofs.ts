/**
 * Proves names over TLS (`tls-alpn-01`, RFC 8737): gateways show authorities, at port 443, a certificate of the name
 * that holds the proof.
 */

import { X509Certificate } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { acmeTlsProtocol } from "@tijolo/protocol";
import { isAllowedAddress } from "../../outbound/private-address.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { newPrivateKey } from "../new-certificate.ts";
import { signProof } from "../x509/sign-certificate.ts";
import { askMs, untilAnswered } from "./gateway-patience.ts";
import { OrderError } from "./order-error.ts";
import { maxAskedAddresses } from "./reach.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Time that gateways have where central cannot see what they show. */
const unseenMs = 2_000;
/** Longest time that an address shows something else. */
const otherMs = 15_000;

/**
 * Resolves once every address of the name shows the proof, with what ends that. Throws an `OrderError` for one
 * that goes on showing something else. An address that does not answer at all is left to the authority: a machine
 * behind a router may not reach its own public address.
 */
export async function showByTls(
  app: Pick<CertificatesContext, "acme" | "clock" | "random" | "db">,
  { name, keyAuthorization }: { name: string; keyAuthorization: string },
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { acme, clock, random, db } = app;
  const key = newPrivateKey();
  const now = clock.now();
  const validity = { beginsAt: now - dayMs, endsAt: now + dayMs };
  const issuer = { name: "Tijolo", privateKey: key };
  const certificate = signProof(issuer, { name, keyAuthorization, validity, random });
  const privateKey = key.export({ type: "pkcs8", format: "pem" }).toString();
  const hide = acme.challenges.show({ name, certificate, privateKey });
  const remove = async () => {
    hide();
    db.wakes.wake("certificates");
  };
  db.wakes.wake("certificates");
  try {
    await untilShown(name, { acme, certificate: new X509Certificate(certificate), signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Throws an `OrderError` where one of the name's addresses goes on showing something else. */
async function untilShown(
  name: string,
  {
    acme,
    certificate,
    signal,
  }: Pick<CertificatesContext, "acme"> & { certificate: X509Certificate; signal: AbortSignal },
): Promise<void> {
  const { dns, tlsPort, mayReachPrivate } = acme;
  const found = await dns.findAddresses(name, signal).catch((): string[] => []);
  const addresses = found
    .filter((address) => isAllowedAddress(address, { mayReachPrivate }))
    .slice(0, maxAskedAddresses);
  const wrong: string[] = [];
  let isSeen = false;
  await Promise.all(
    addresses.map(async (address) => {
      let otherSinceMs: number | undefined;
      const look = async () => {
        const shown = await shownAt(address, { name, port: tlsPort, certificate });
        signal.throwIfAborted();
        if (shown !== "other") return shown === "refused" ? undefined : shown;
        otherSinceMs ??= performance.now();
        return performance.now() - otherSinceMs > otherMs ? shown : undefined;
      };
      const seen = await untilAnswered(look, signal);
      if (seen === "other") wrong.push(address);
      if (seen === "proof") isSeen = true;
    }),
  );
  if (wrong.length > 0)
    throw new OrderError(
      "wrong_address",
      `${name} leads to ${wrong.sort().join(", ")}, where no gateway of this cluster proves it over TLS`,
    );
  if (!isSeen) await delay(unseenMs, undefined, { signal });
}

type Shown = "proof" | "other" | "refused" | "nothing";

/** Returns what an authority would be shown; "nothing" where nobody answers at all. */
function shownAt(
  address: string,
  { name, port, certificate }: { name: string; port: number; certificate: X509Certificate },
): Promise<Shown> {
  const { promise, resolve } = Promise.withResolvers<Shown>();
  const socket = connect({
    host: address,
    port,
    servername: name,
    ALPNProtocols: [acmeTlsProtocol],
    rejectUnauthorized: false, // it is compared
  });
  let isConnected = false;
  socket.once("connect", () => (isConnected = true));
  socket.once("secureConnect", () => {
    const shown = socket.getPeerX509Certificate()?.fingerprint256;
    resolve(shown === certificate.fingerprint256 ? "proof" : "other");
  });
  socket.once("error", ({ code }: NodeJS.ErrnoException) =>
    resolve(isConnected ? "other" : code === "ECONNREFUSED" ? "refused" : "nothing"),
  );
  socket.once("close", () => resolve(isConnected ? "other" : "nothing"));
  const late = setTimeout(() => socket.destroy(), askMs);
  return promise.finally(() => {
    clearTimeout(late);
    socket.destroy();
  });
}
