/** What every rule of central works with, handed down as one object. */

import type { PlanName, Plan, ServiceLimits } from "@tijolo/protocol";
import type { KeyedQueue, Slots } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { MetricDatabase } from "../store/metrics/schema.ts";
import type { Database } from "../store/store.ts";
import type { Wakes } from "../store/wakes.ts";
import type { Objects } from "../objects/objects.ts";
import type { AuthenticatorVault } from "./people/authenticator-vault.ts";
import type { PanelSettings } from "./people/auth-cookie.ts";
import type { Attempts } from "./limits/attempts.ts";
import type { Clock, Random } from "./clock.ts";
import type { ClusterKey } from "./cluster/cluster-key.ts";
import type { HeldBackProjects } from "./hosts/held-back.ts";
import type { HostInventories } from "./hosts/host-inventories.ts";
import type { HostStates } from "./hosts/host-states.ts";
import type { Mail } from "./people/mail.ts";
import type { KeyUses } from "./identity/key-uses.ts";
import type { LogStreamSlots } from "./limits/log-stream-slots.ts";
import type { MasterKeyRotation } from "./secrets/master-key-rotation.ts";
import type { PasswordHashing } from "./people/password-hashing.ts";
import type { OpenSteps } from "./metrics/open-steps.ts";
import type { RequestRates } from "./limits/request-rates.ts";
import type { SessionRates } from "./limits/session-rates.ts";
import type { TrustedProxies } from "./identity/trusted-proxies.ts";
import type { UploadSlots } from "./limits/upload-slots.ts";
import type { UsageBoard } from "./metrics/usage-board.ts";
import type { Vault } from "./secrets/vault.ts";

export interface AppContext {
  db: Database;
  objects: Objects;
  clock: Clock;
  random: Random;
  logger: Logger;
  plans: ReadonlyMap<PlanName, Plan>;
  limits: ServiceLimits;
  /** How long the projects of a suspended account run on, unless the operator says otherwise. */
  suspensionGraceMs: number;
  /** The public address of a site. */
  siteUrl: (subdomain: string) => string;
  /** Bounds how many archives are checked at once: each takes memory by the number of its entries. */
  archiveSlots: Slots;
  /** One queue per project: changes of a project happen one at a time, in order of arrival. */
  projectQueues: KeyedQueue;
  hostStates: HostStates;
  inventories: HostInventories;
  heldBack: HeldBackProjects;
  /** Signs what hosts keep for central. */
  clusterKey: ClusterKey;
  usage: UsageBoard;
  metrics: MetricDatabase;
  openSteps: OpenSteps;
  /** To listen: what is written wakes by itself. */
  wakes: Pick<Wakes, "on">;
  /** Seals what only central may read. */
  vault: Vault;
  masterKeys: MasterKeyRotation;
  /** Tells who a request comes from. */
  proxies: TrustedProxies;
  /** What callers are counted by. */
  requestRates: RequestRates;
  sessionRates: SessionRates;
  keyUses: KeyUses;
  uploadSlots: UploadSlots;
  logStreamSlots: LogStreamSlots;
  /** One queue per idempotency key: requests with the same key happen one at a time. */
  idempotencyQueues: KeyedQueue;
  /** Seals the secrets of authenticators. */
  authenticators: AuthenticatorVault;
  passwords: PasswordHashing;
  /** Of passwords, codes, links and keys. */
  attempts: Attempts;
  mail: Mail;
  panel: PanelSettings;
}
