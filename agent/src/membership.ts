/**
 * Opens what makes this machine a host of its cluster: the data directory, which no other agent works on, its
 * ledger, its key, and its place in the cluster.
 */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Joined } from "@tijolo/protocol";
import { openPrivateDirectory, takeDataLock } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { AgentConfig } from "./config.ts";
import { assertHostFit } from "./host/checks/check-host.ts";
import { openLedger, type Ledger } from "./ledger/ledger.ts";
import {
  joinCluster,
  loadIdentity,
  readLinkTls,
  RefusedError,
  type LinkTls,
} from "@tijolo/protocol/kit/link";

type Identity = Awaited<ReturnType<typeof loadIdentity>>;

export interface Membership {
  ledger: Ledger;
  identity: Identity;
  /** The pinned authority of central, for every connection to it; undefined without one. */
  tls: LinkTls | undefined;
  /** Returns the host's id, which changes when the host joins anew. */
  hostId(): string;
  /** Range of addresses that central gave this host when it joined; undefined when that was earlier. */
  readonly meshRange: string | undefined;
  /**
   * Joins again, for a host that central does not know, as after its database was set back: with the same
   * key, and keeps everything on this host. Resolves with false without a usable token; the log then says
   * what an operator does. Never rejects.
   */
  joinAnew(): Promise<boolean>;
}

/**
 * Joins on the first start, which needs central. The ledger is closed, and the directory free for another,
 * with `resources`.
 */
export async function openMembership(
  config: AgentConfig,
  { runtimeName, clock, logger }: { runtimeName: string; clock: { now(): number }; logger: Logger },
  resources: AsyncDisposableStack,
): Promise<Membership> {
  const { dataDirectory } = config;
  await openPrivateDirectory(dataDirectory, logger);
  const onWait = () =>
    logger.warn({ dataDirectory }, "another agent works on the data directory; this one waits for it to end");
  resources.use(await takeDataLock(join(dataDirectory, "agent.lock"), { onWait }));
  const files = {
    path: join(dataDirectory, "ledger.sqlite"),
    copiesDirectory: join(dataDirectory, "records"),
  };
  const ledger = resources.adopt(openLedger({ ...files, clock, logger }), (opened) => opened.close());
  assertHasKey(ledger, dataDirectory);
  const identity = await loadIdentity(join(dataDirectory, "identity.pem"));
  assertSameRuntime(ledger, runtimeName);
  if (runtimeName === "nspawn") await assertHostFit();
  const tls = await readLinkTls(config.centralAuthorityFile);
  const member = { config, ledger, identity, tls, runtimeName };
  const hostId = ledger.hostId();
  return new HostMembership(member, hostId === undefined ? await joinFirst(member) : { hostId }, logger);
}

interface Member {
  config: AgentConfig;
  ledger: Ledger;
  identity: Identity;
  tls: LinkTls | undefined;
  runtimeName: string;
}

class HostMembership implements Membership {
  readonly #member: Member;
  readonly #logger: Logger;
  readonly meshRange: string | undefined;
  #hostId: string;
  /** Token that central refused, which is not sent again. */
  #refusedToken: string | undefined;

  constructor(member: Member, { hostId, meshRange }: Joined, logger: Logger) {
    this.#member = member;
    this.#hostId = hostId;
    this.meshRange = meshRange;
    this.#logger = logger;
  }

  get ledger(): Ledger {
    return this.#member.ledger;
  }

  get identity(): Identity {
    return this.#member.identity;
  }

  get tls(): LinkTls | undefined {
    return this.#member.tls;
  }

  hostId(): string {
    return this.#hostId;
  }

  async joinAnew(): Promise<boolean> {
    const { joinTokenFile } = this.#member.config;
    const token =
      joinTokenFile === null ? undefined : await readFile(joinTokenFile, "utf8").catch(() => undefined);
    let reason = token === undefined ? "there is no join token" : "the join token was used or is too old";
    if (token !== undefined && token !== this.#refusedToken) {
      try {
        this.#hostId = (await joinWith(this.#member, token, this.#hostId)).hostId;
        this.#logger.warn(
          { hostId: this.#hostId },
          "central did not know this host, and it has joined anew; its projects are orphans: tijolo cluster orphan list",
        );
        return true;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        if (error instanceof Error && error.cause instanceof RefusedError) this.#refusedToken = token;
      }
    }
    const where = joinTokenFile ?? "the file of TIJOLO_JOIN_TOKEN_FILE";
    const advice = `Run \`tijolo cluster host add\` and put the token it prints into ${where}: this host then joins anew, with its projects`;
    this.#logger.error(
      { hostId: this.#hostId, reason },
      `central does not know this host, as after an older database was restored. ${advice}`,
    );
    return false;
  }
}

/**
 * Throws when the key is missing: a new key is a new host, of which central wants none of the projects that
 * are here, so they would be removed.
 */
function assertHasKey(ledger: Ledger, dataDirectory: string): void {
  const projects = ledger.projectIds().length;
  if (ledger.hostId() !== undefined || projects === 0 || existsSync(join(dataDirectory, "identity.pem")))
    return;
  throw new Error(
    `${dataDirectory} holds ${projects} projects of a host whose key, identity.pem, is gone. Put that file back; or, to make this machine a new host without them, start the agent with an empty TIJOLO_DATA_DIRECTORY.`,
  );
}

/**
 * Throws when the runtime is another than the one that the host joined with: runs under one are not found by
 * another, and what one promised to the operator does not hold under another.
 */
function assertSameRuntime(ledger: Ledger, runtime: string): void {
  const joined = ledger.runtime();
  if (joined === undefined || joined === runtime) return;
  const setting = (name: string) =>
    name === "nspawn" ? "without TIJOLO_RUNTIME" : `with TIJOLO_RUNTIME=${name}`;
  throw new Error(
    `This data directory joined its cluster with the ${joined} runtime, not ${runtime}. Start it ${setting(joined)}, or give the ${runtime} runtime a TIJOLO_DATA_DIRECTORY of its own and join it as a new host.`,
  );
}

async function joinFirst(member: Member): Promise<Joined> {
  const { joinTokenFile } = member.config;
  const advice = "Run `tijolo cluster host add` and start the agent with the token it prints";
  if (joinTokenFile === null) throw new Error(`This machine has not joined a cluster. ${advice}.`);
  const token = await readFile(joinTokenFile, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    throw new Error(
      `This machine has not joined a cluster, or its ledger is gone. ${advice}, in ${joinTokenFile}.`,
      { cause },
    );
  });
  return joinWith(member, token);
}

/** Returns what the host has become; its id is in the ledger by then. */
async function joinWith(
  { config, ledger, identity, tls, runtimeName }: Member,
  token: string,
  formerHostId?: string,
): Promise<Joined> {
  const { centralUrl, hostName: name } = config;
  const former = formerHostId === undefined ? {} : { formerHostId };
  const joined = await joinCluster({ centralUrl, tls, token: token.trim(), name, identity, ...former });
  ledger.setHostId(joined.hostId, runtimeName);
  return joined;
}
