/** What an operator may do, and what is shown to operators. */

import { z } from "zod";
import { memoryAmountMb } from "../values/amounts.ts";
import { keyLevels, scope, scopes } from "./access.ts";
import type { Account } from "../nouns/account.ts";
import type { HostSummary, HostView } from "../nouns/host-view.ts";
import { id } from "../values/id.ts";
import {
  hostChoice,
  imageOverride,
  imagePull,
  imageVersion,
  type HostReference,
  type HostRemovals,
  type ImageList,
  type ImageOverrideChange,
  type ImagePull,
  type ImagePullEvent,
} from "../nouns/image.ts";
import { keyName } from "../nouns/key.ts";
import type { MasterKeyRotated, MasterKeyStatus } from "../nouns/master-key.ts";
import {
  orphanAdoption,
  orphanChoice,
  type OrphanAdopted,
  type OrphanAdoption,
  type OrphanList,
} from "../nouns/orphan.ts";
import { planName, type Plan, type PlanName } from "../nouns/plan.ts";
import type { ServiceLimits } from "./service-limits.ts";
import { email, personName } from "../nouns/session.ts";
import { visibleName } from "../values/visible-name.ts";

/** An account with its plan, what it uses of it, and how it stands. */
export type AccountSummary = Omit<Account, "requests">;

export interface ProjectReference {
  id: string;
  name: string;
}

/** What an account has of something, and how much of it its plan has room for: less. */
export interface PlanExcess {
  of: "memoryMb" | "projects" | "sites";
  limit: number;
  used: number;
}

/** A plan change stops nothing; it says what does not fit any more. */
export interface PlanChange {
  account: AccountSummary;
  before: PlanName;
  excess: PlanExcess[];
  /**
   * Their reserved memory is below the new plan's minimum: they stay as they are until their memory is
   * changed.
   */
  belowMinimum: { id: string; name: string; memoryMb: number; minimumMb: number }[];
}

/** For one use, shown once: the token, and the panel's page that takes it. */
export interface IssuedLink {
  token: string;
  url: string;
  expiresAt: string;
}

/** With the e-mail of the person whom it is for. */
export interface PasswordLink extends IssuedLink {
  email: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const maxWaitMs = 366 * dayMs;
const hostMemory = memoryAmountMb.min(1);
const oneAccount = z.strictObject({ accountId: id });

/** Inputs of the procedures. */
export const administrationInput = {
  /** `memoryMb`: the most that is counted of the host, whatever it says. */
  createJoinToken: z.strictObject({ memoryMb: hostMemory.optional() }).nullish(),
  /** By id or name. */
  setHostMemory: z.strictObject({ host: z.string().trim().min(1).max(100), memoryMb: hostMemory }),
  revokeHost: z.strictObject({ hostId: id }),
  /** By id or name. */
  getHost: z.strictObject({ host: z.string().trim().min(1).max(100) }),
  createAccount: z.strictObject({ name: visibleName(80), plan: planName }),
  createKey: z.strictObject({
    accountId: id,
    name: keyName,
    level: z.enum(keyLevels),
    scopes: z.array(scope).max(scopes.length).default([]),
  }),
  /** An id, an e-mail address, or a name. */
  findAccounts: z.strictObject({ reference: z.string().trim().min(1).max(254) }),
  changePlan: z.strictObject({ accountId: id, plan: planName }),
  /** Without `graceMs`, the operator's default, or the end that a suspended account already has. */
  suspendAccount: oneAccount.extend({ graceMs: z.int().min(0).max(maxWaitMs).optional() }),
  resumeAccount: oneAccount,
  endBeta: oneAccount.extend({ inMs: z.int().min(0).max(maxWaitMs) }),
  cancelBetaEnd: oneAccount,
  endTwoFactor: oneAccount,
  forgetVariables: z.strictObject({ projectId: id }),
  listOrphans: hostChoice,
  adoptOrphan: orphanAdoption,
  removeOrphan: orphanChoice,
  listImages: hostChoice,
  pullImages: imagePull,
  pruneImages: hostChoice,
  setImage: z.strictObject({ image: imageVersion, reference: imageOverride.shape.reference }),
  unsetImage: z.strictObject({ image: imageVersion }),
  createInvitation: z.strictObject({ plan: planName.default("Free") }),
  /**
   * Of the account, or else of the person with this e-mail. An account that has only had keys needs both: it
   * gets its person. For one that has a person, an e-mail beside it is to be that person's.
   */
  createPasswordLink: z
    .strictObject({ accountId: id.optional(), email: email.optional(), name: personName.optional() })
    .refine(
      ({ accountId, email }) => accountId !== undefined || email !== undefined,
      "accountId or email is needed",
    ),
};

type Input<Name extends keyof typeof administrationInput> = z.infer<(typeof administrationInput)[Name]>;

/**
 * One implementation, in central's `app/`; every change is in the account's activity under the operator's
 * name.
 */
export interface Administration {
  /** A single-use token (15 minutes) with which one machine may join. */
  createJoinToken(input: Input<"createJoinToken">): Promise<{ token: string; expiresAt: string }>;
  /**
   * Sets the most memory that is counted of a host: one that says more gets no more projects for it. Throws
   * `not_found`.
   */
  setHostMemory(input: Input<"setHostMemory">): Promise<HostSummary>;
  listHosts(): Promise<HostSummary[]>;
  /** The host is asked as well, if it is there. Throws `not_found`; also ends with the signal. */
  getHost(input: Input<"getHost">, signal: AbortSignal): Promise<HostView>;
  /** Takes a host's right to connect away, at once. */
  revokeHost(hostId: string): Promise<void>;
  createAccount(input: Input<"createAccount">): Promise<AccountSummary>;
  listAccounts(): Promise<AccountSummary[]>;
  /** At most ten. */
  findAccounts(reference: string): Promise<AccountSummary[]>;
  /** A new API key, whole, for the only time. */
  createKey(input: Input<"createKey">): Promise<{ id: string; key: string }>;
  /** Takes effect at once and restarts nothing. */
  changePlan(input: Input<"changePlan">): Promise<PlanChange>;
  /**
   * Answers what runs, and will be stopped when the grace is over. Again: a grace that is given moves that
   * end.
   */
  suspendAccount(
    input: Input<"suspendAccount">,
  ): Promise<{ account: AccountSummary; running: ProjectReference[] }>;
  /** Answers what the suspension stopped: it is not started again by itself. */
  resumeAccount(accountId: string): Promise<{ account: AccountSummary; stopped: ProjectReference[] }>;
  /** Until then the account starts and receives nothing; then it returns to Free. */
  endBeta(input: Input<"endBeta">): Promise<AccountSummary>;
  cancelBetaEnd(accountId: string): Promise<AccountSummary>;
  /** One person may sign up with it, within 7 days. */
  createInvitation(input: Input<"createInvitation">): Promise<IssuedLink>;
  /** With it, a person sets the password, within an hour. */
  createPasswordLink(input: Input<"createPasswordLink">): Promise<PasswordLink>;
  /** For who lost the authenticator and the recovery codes; to know who asks is the operator's part. */
  endTwoFactor(accountId: string): Promise<{ wasOn: boolean }>;
  /** In effect: the defaults with the operator's file over them. */
  listPlans(): { plans: Plan[]; limits: ServiceLimits };
  listMasterKeys(): Promise<MasterKeyStatus>;
  /** Resolves when everything that can be opened is sealed by the current key. */
  rotateMasterKey(): Promise<MasterKeyRotated>;
  /**
   * For variables that nobody can open any more: the project has none from then on. Refused with
   * `invalid_request` while they open, and with `not_found` when there are none.
   */
  forgetVariables(projectId: string): Promise<{ project: ProjectReference; isRestartRequired: boolean }>;
  /** Of the host named, or of all, each asked now. */
  listOrphans(input: Input<"listOrphans">, signal: AbortSignal): Promise<OrphanList>;
  /**
   * Central has the project again, as its host knows it; it runs on. Throws `not_found` where no host that
   * answers has it.
   */
  adoptOrphan(input: OrphanAdoption, signal: AbortSignal): Promise<OrphanAdopted>;
  /** Its host stops it and frees its disk: at once, or when it is back. Answers which hosts. */
  removeOrphan(input: Input<"removeOrphan">, signal: AbortSignal): Promise<{ hosts: HostReference[] }>;
  /**
   * Of the host named, or of all; throws `not_found` for a host that there is none of. Also ends with the
   * signal.
   */
  listImages(input: Input<"listImages">, signal: AbortSignal): Promise<ImageList>;
  /** Ends when every host has; what fails on one host stops no other. The hosts stop when nobody reads on. */
  pullImages(input: ImagePull, signal: AbortSignal): AsyncIterable<ImagePullEvent>;
  /** Takes images from the hosts that none of their projects uses, pulled ones as well. */
  pruneImages(input: Input<"pruneImages">, signal: AbortSignal): Promise<HostRemovals[]>;
  /** What runs goes on; from its next start on a project of this version runs on the operator's image. */
  setImage(input: Input<"setImage">): Promise<ImageOverrideChange>;
  unsetImage(input: Input<"unsetImage">): Promise<ImageOverrideChange>;
}
