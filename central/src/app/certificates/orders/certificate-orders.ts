/**
 * Orders the certificates that are wanted and renews them ahead of their end, one order per set of names at a
 * time. Failures are kept in the database, so that a restart of central shortens no pause.
 */

import { X509Certificate, type KeyObject } from "node:crypto";
import { transact } from "../../../store/store.ts";
import { deleteFailedOrder, listFailedOrders } from "../../../store/tables/certificates/certificate-order.ts";
import {
  deleteCertificate,
  listCertificates,
  saveRenewal,
  type CertificateRenewal,
  type CertificateRow,
} from "../../../store/tables/certificates/certificate.ts";
import { AcmeClient, type AcmeServer } from "../acme/acme-client.ts";
import { AcmeError } from "../acme/acme-error.ts";
import { AcmeTransport } from "../acme/acme-transport.ts";
import { thumbprintOf } from "../acme/jws.ts";
import { orderCertificate, type NameProofs } from "../acme/order-certificate.ts";
import { renewalIdOf } from "../acme/renewal-id.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { namesKey } from "../names-key.ts";
import { newPrivateKey } from "../new-certificate.ts";
import { unneededCertificates, wantedOrders, type WantedCertificate } from "../wanted-certificates.ts";
import { ensureAcmeKey } from "./acme-key.ts";
import { dueOrders, type DueOrder } from "./due-orders.ts";
import { nameProofs } from "./name-proofs.ts";
import { checkCaa, checkNames } from "./order-checks.ts";
import { isOfAuthority, OrderError, type OrderFailure } from "./order-error.ts";
import { saveFailure, saveIssued } from "./order-outcome.ts";
import { maxSiteIssues, nextAskAt } from "./order-policy.ts";
import { askForWindow, firstRenewal } from "./renewal.ts";
import { showByTls } from "./tls-proofs.ts";

const atOnce = 4;
/** Milliseconds between two looks while nothing changes. */
const lookEveryMs = 10_000;
/** Longest time of one order, with all its waits. */
const orderMs = 15 * 60 * 1000;
const userAgent = "Tijolo (ACME client of its own)";

export class CertificateOrders implements AsyncDisposable {
  readonly #app: CertificatesContext;
  readonly #transport: AcmeTransport;
  readonly #ending = new AbortController();
  readonly #stopListening: (() => void)[];
  /** Orders that are in progress, by their names. */
  readonly #tasks = new Map<string, Promise<void>>();
  #nextAt = -Infinity;
  #haveSitesWaited = false;

  constructor(app: CertificatesContext) {
    this.#app = app;
    const { clock, acme } = app;
    this.#transport = new AcmeTransport({ clock, moreRoots: acme.moreRoots, userAgent });
    const look = () => (this.#nextAt = -Infinity);
    this.#stopListening = [
      app.wakes.on("sites", look),
      app.wakes.on("domains", look),
      app.wakes.on("certificates", look),
    ];
  }

  /** Begins what is due, as far as there is room; does not wait for it. */
  async run(): Promise<void> {
    const { clock, acme } = this.#app;
    const now = clock.now();
    if (acme.servers.length === 0 || (now < this.#nextAt && this.#nextAt - now <= lookEveryMs)) return;
    this.#nextAt = now + lookEveryMs;
    const rows = (await listCertificates(this.#app.db)).filter(({ kind }) => kind === "acme");
    const wanted = await wantedOrders(this.#app, this.#app.db);
    await this.#answerFor(wanted);
    await this.#forgetUnwanted(rows, wanted);
    const { due, waitingNames } = await dueOrders(this.#app, { rows, wanted });
    this.#logWaiting(waitingNames.length);
    for (const order of due) {
      if (this.#tasks.size >= atOnce) return this.#lookSoon();
      this.#begin(namesKey(order.wanted.names), () => this.#order(order));
    }
    for (const row of rows) {
      if (row.renewal === null || row.renewal.askAt > now) continue;
      if (this.#tasks.size >= atOnce) return this.#lookSoon();
      const { renewal } = row;
      this.#begin(namesKey(row.names), () => this.#askAnew(row, renewal));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#stopListening) stop();
    this.#ending.abort();
    await Promise.all(this.#tasks.values());
    await this.#transport[Symbol.asyncDispose]();
  }

  /** Warns once when sites begin to wait, and again when others do after these had their certificates. */
  #logWaiting(sites: number): void {
    if (sites > 0 && !this.#haveSitesWaited)
      this.#app.logger.warn(
        { sites, perWeek: maxSiteIssues },
        "new sites wait for their certificate: so many are ordered in a week. With TIJOLO_ACME_DNS_HOOK one wildcard serves all of them",
      );
    this.#haveSitesWaited = sites > 0;
  }

  /** Has gateways answer authorities for the names that are proved by HTTP. */
  async #answerFor(wanted: readonly WantedCertificate[]): Promise<void> {
    const { acme, db } = this.#app;
    const key = await ensureAcmeKey(this.#app);
    const { kindFor } = this.#proofs(this.#ending.signal);
    const names = wanted
      .flatMap(({ names }) => names)
      .filter((name) => !name.startsWith("*.") && kindFor(name, false) === "http-01");
    if (acme.challenges.replace(names, key === null ? null : thumbprintOf(key)))
      db.wakes.wake("certificates");
  }

  #lookSoon(): void {
    this.#nextAt = -Infinity;
  }

  #begin(key: string, work: () => Promise<void>): void {
    if (this.#tasks.has(key)) return;
    const task = work()
      .catch((error: unknown) => {
        if (!this.#ending.signal.aborted)
          this.#app.logger.error({ err: error, names: key }, "an order of a certificate broke off");
      })
      .finally(() => {
        this.#tasks.delete(key);
        this.#lookSoon();
      });
    this.#tasks.set(key, task);
  }

  /** Removes the certificates that nobody needs, with their keys, and the failures of orders that are not wanted. */
  async #forgetUnwanted(
    rows: readonly CertificateRow[],
    wanted: readonly WantedCertificate[],
  ): Promise<void> {
    const { db } = this.#app;
    const keys = new Set(wanted.map(({ names }) => namesKey(names)));
    const gone = await unneededCertificates(this.#app, db, { rows, wanted });
    const failed = (await listFailedOrders(db)).filter(({ names }) => !keys.has(namesKey(names)));
    if (gone.length + failed.length === 0) return;
    await transact(db, async (tx) => {
      for (const { id } of gone) await deleteCertificate(tx, id);
      for (const { names } of failed) await deleteFailedOrder(tx, names);
    });
  }

  /** Tries the authorities in order; a fault of the names would be one for all of them. */
  async #order(due: DueOrder): Promise<void> {
    const { acme, logger } = this.#app;
    const accountKey = await ensureAcmeKey(this.#app);
    if (accountKey === null) return;
    const { names } = due.wanted;
    let failure: OrderFailure | null = null;
    for (const server of acme.servers) {
      try {
        return await this.#orderFrom(server, due, accountKey);
      } catch (error) {
        this.#ending.signal.throwIfAborted();
        failure = failureOf(error);
        const fields = {
          names,
          directory: server.directoryUrl,
          fault: failure.fault,
          detail: failure.message,
          ...(error === failure ? {} : { err: error }),
        };
        logger.warn(fields, "an order of a certificate failed");
        if (!isOfAuthority(failure.fault)) break;
      }
    }
    if (failure !== null) await saveFailure(this.#app, due, failure);
  }

  async #orderFrom(server: AcmeServer, due: DueOrder, accountKey: KeyObject): Promise<void> {
    const { acme } = this.#app;
    const { names } = due.wanted;
    const signal = this.#deadline();
    const client = this.#client(server, { accountKey, signal });
    const proofs = this.#proofs(signal);
    await checkNames(this.#app, names, { proofs, thumbprint: client.thumbprint, signal });
    const identities = (await client.directory()).meta?.caaIdentities ?? [];
    await checkCaa(this.#app, names, { identities, signal });
    if (due.failed !== null && acme.stagingUrl !== null && server === acme.servers[0]) {
      const staging = this.#client({ directoryUrl: acme.stagingUrl, binding: null }, { accountKey, signal });
      await orderCertificate(staging, { names, privateKey: newPrivateKey(), replaces: null, proofs });
    }
    const privateKey = newPrivateKey();
    const replaces = due.current?.renewal?.directory === server.directoryUrl ? replacedBy(due.current) : null;
    const chain = await orderCertificate(client, { names, privateKey, replaces, proofs });
    const renewal = firstRenewal(server.directoryUrl, chain);
    await saveIssued(this.#app, due, { chain, privateKey, renewal });
  }

  /** Asks the authority again when it wants the certificate renewed. */
  async #askAnew({ id, chain }: CertificateRow, renewal: CertificateRenewal): Promise<void> {
    const { acme, db, clock } = this.#app;
    const server = acme.servers.find(({ directoryUrl }) => directoryUrl === renewal.directory);
    const accountKey = await ensureAcmeKey(this.#app);
    if (accountKey === null) return;
    const signal = this.#deadline();
    const asked =
      server === undefined
        ? { ...renewal, askAt: nextAskAt(clock.now(), null) }
        : await askForWindow(this.#app, {
            client: this.#client(server, { accountKey, signal }),
            chain,
            renewal,
          });
    await transact(db, (tx) => saveRenewal(tx, { id, renewal: asked }));
  }

  #proofs(signal: AbortSignal): NameProofs {
    const { acme, servedNames } = this.#app;
    return nameProofs({
      ...acme,
      ...servedNames,
      showByTls: (proof) => showByTls(this.#app, proof, signal),
      signal,
    });
  }

  #client(
    server: AcmeServer,
    { accountKey, signal }: { accountKey: KeyObject; signal: AbortSignal },
  ): AcmeClient {
    const { acme, clock } = this.#app;
    const { contact } = acme;
    return new AcmeClient({ server, accountKey, contact, transport: this.#transport, clock, signal });
  }

  #deadline(): AbortSignal {
    return AbortSignal.any([this.#ending.signal, AbortSignal.timeout(orderMs)]);
  }
}

/** Returns the ARI id of the certificate that a new one replaces. */
function replacedBy({ chain }: CertificateRow): string | null {
  return renewalIdOf(new X509Certificate(chain));
}

/** Turns whatever ended an order into a failure with a fault: time ran out, or a resolver failed. */
function failureOf(error: unknown): OrderFailure {
  if (error instanceof AcmeError || error instanceof OrderError) return error;
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const detail = isLate ? "the order took longer than 15 minutes" : String(error);
  return new OrderError("unreachable", detail, { cause: error });
}
