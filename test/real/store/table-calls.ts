/** Calls of the store's table functions, so that each of them issues each of its statements. */

import * as account from "../../../central/src/store/tables/accounts/account.ts";
import * as accountUsage from "../../../central/src/store/tables/accounts/account-usage.ts";
import * as activity from "../../../central/src/store/tables/accounts/activity.ts";
import * as assignment from "../../../central/src/store/tables/hosts/assignment.ts";
import * as announcement from "../../../central/src/store/tables/notices/announcement.ts";
import * as audit from "../../../central/src/store/tables/operators/audit.ts";
import * as acmeKey from "../../../central/src/store/tables/certificates/acme-key.ts";
import * as certificate from "../../../central/src/store/tables/certificates/certificate.ts";
import * as certificateOrder from "../../../central/src/store/tables/certificates/certificate-order.ts";
import * as gateway from "../../../central/src/store/tables/gateways/gateway.ts";
import * as departure from "../../../central/src/store/tables/hosts/departure.ts";
import * as domain from "../../../central/src/store/tables/projects/domain.ts";
import * as keptSubdomain from "../../../central/src/store/tables/projects/kept-subdomain.ts";
import * as exit from "../../../central/src/store/tables/projects/exit.ts";
import * as host from "../../../central/src/store/tables/hosts/host.ts";
import * as hostId from "../../../central/src/store/tables/hosts/host-id.ts";
import * as meshHost from "../../../central/src/store/tables/hosts/mesh-host.ts";
import * as idempotency from "../../../central/src/store/tables/accounts/idempotency.ts";
import * as imageOverride from "../../../central/src/store/tables/hosts/image-override.ts";
import * as key from "../../../central/src/store/tables/people/key.ts";
import * as notice from "../../../central/src/store/tables/notices/notice.ts";
import * as noticeChannel from "../../../central/src/store/tables/notices/notice-channel.ts";
import * as noticeDelivery from "../../../central/src/store/tables/notices/notice-delivery.ts";
import * as noticeLevel from "../../../central/src/store/tables/notices/notice-level.ts";
import * as operatorPerson from "../../../central/src/store/tables/operators/operator-person.ts";
import * as operator from "../../../central/src/store/tables/operators/operator.ts";
import * as passkey from "../../../central/src/store/tables/people/passkey.ts";
import * as pendingSignUp from "../../../central/src/store/tables/people/pending-sign-up.ts";
import * as person from "../../../central/src/store/tables/people/person.ts";
import * as projectEvent from "../../../central/src/store/tables/projects/project-event.ts";
import * as projectPlaces from "../../../central/src/store/tables/projects/project-places.ts";
import * as project from "../../../central/src/store/tables/projects/project.ts";
import * as meshProject from "../../../central/src/store/tables/projects/mesh-project.ts";
import * as rateWindow from "../../../central/src/store/tables/accounts/rate-window.ts";
import * as replacedFiles from "../../../central/src/store/tables/projects/replaced-files.ts";
import * as servedSite from "../../../central/src/store/tables/projects/served-site.ts";
import * as sitePage from "../../../central/src/store/tables/projects/site-page.ts";
import * as siteSettings from "../../../central/src/store/tables/projects/site-settings.ts";
import * as siteSubdomain from "../../../central/src/store/tables/projects/site-subdomain.ts";
import * as session from "../../../central/src/store/tables/people/session.ts";
import * as setting from "../../../central/src/store/tables/setting.ts";
import * as variable from "../../../central/src/store/tables/projects/variable.ts";
import * as verification from "../../../central/src/store/tables/people/verification.ts";
import * as version from "../../../central/src/store/tables/projects/version.ts";
import * as versionConfig from "../../../central/src/store/tables/projects/version-config.ts";
import * as metricAccountSteps from "../../../central/src/store/metrics/account-steps.ts";
import * as metricProject from "../../../central/src/store/metrics/metric-project.ts";
import * as metricRollUp from "../../../central/src/store/metrics/roll-up.ts";
import * as metricSteps from "../../../central/src/store/metrics/step.ts";
import * as metricVisits from "../../../central/src/store/metrics/visit.ts";
import type { MetricDatabase } from "../../../central/src/store/metrics/schema.ts";
import type { Transaction } from "../../../central/src/store/store.ts";
import { encodeTops, TopValues, VisitSums } from "@tijolo/protocol";
import { sampleSettings, sampleState } from "../../support/samples.ts";

/** The names of the functions that were called. */
export const called = new Set<string>();

const recorded = <Functions extends object>(functions: Functions): Functions =>
  new Proxy(functions, {
    get(target, name, receiver) {
      called.add(String(name));
      return Reflect.get(target, name, receiver) as unknown;
    },
  });

const table = recorded({
  ...account,
  ...accountUsage,
  ...activity,
  ...assignment,
  ...announcement,
  ...audit,
  ...departure,
  ...domain,
  ...acmeKey,
  ...certificate,
  ...certificateOrder,
  ...sitePage,
  ...siteSettings,
  ...siteSubdomain,
  ...servedSite,
  ...gateway,
  ...exit,
  ...host,
  ...hostId,
  ...idempotency,
  ...imageOverride,
  ...keptSubdomain,
  ...meshHost,
  ...meshProject,
  ...key,
  ...notice,
  ...noticeChannel,
  ...noticeDelivery,
  ...noticeLevel,
  ...operatorPerson,
  ...operator,
  ...passkey,
  ...pendingSignUp,
  ...person,
  ...projectEvent,
  ...projectPlaces,
  ...project,
  ...rateWindow,
  ...replacedFiles,
  ...session,
  ...setting,
  ...variable,
  ...verification,
  ...version,
  ...versionConfig,
});
const metric = recorded({
  ...metricAccountSteps,
  ...metricProject,
  ...metricRollUp,
  ...metricSteps,
  ...metricVisits,
});

/** Sorts what a function returns in no order of its own. */
async function inAnyOrder<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  return (await rows).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Later than what a 4-byte integer holds, as times in milliseconds are. */
const now = Date.parse("2026-01-01T00:00:00Z");
const ana = { id: "a1", name: "Ana", plan: "Free", createdAt: now } as const;
const standing = { suspendedAt: null, stopsAt: null, betaEndsAt: null };
const bot = {
  id: "p1",
  accountId: "a1",
  name: "bot",
  description: "",
  settings: sampleSettings(),
  startConfigTag: null,
  subdomain: null,
  servedSubdomain: null,
  run: "off",
  restartCount: 0,
  versionNumber: 1,
  createdAt: now,
  updatedAt: now,
  hostId: "h1",
  generation: 1,
} as const;
const site = {
  ...bot,
  id: "p2",
  name: "site",
  settings: sampleSettings({ type: "site", port: 80 }),
  subdomain: "shop",
  servedSubdomain: "shop",
};
const service = { kind: "service", id: null, name: "", address: null } as const;
const entry = {
  accountId: "a1",
  at: now,
  actor: service,
  action: "project.stop",
  project: { id: "p1", name: "bot" },
  before: { run: "on" },
  after: null,
} as const;
const audited = {
  at: now,
  operator: { id: "o1", name: "Rui", address: "192.0.2.1" },
  action: "host.revoke",
  subject: { kind: "host", id: "h1", name: "one" },
  before: null,
  after: null,
} as const;
const signedIn = {
  personId: "u1",
  address: "192.0.2.1",
  userAgent: null,
  expiresAt: now + 1,
  createdAt: now,
  updatedAt: now,
  confirmedAt: null,
  hasPasskey: false,
};
const signUp = {
  id: "w1",
  email: "ana@example.org",
  name: "Ana",
  passwordHash: "hash",
  createdAt: now,
  expiresAt: now + 1,
};
const phone = {
  id: "k1",
  personId: "u1",
  credentialId: "AAAA",
  rpId: "example.org",
  publicKey: "AQID",
  counter: 7,
  transports: ["internal"],
  name: "phone",
  isSynced: true,
  createdAt: now,
  lastUsedAt: null,
};
const twoFactor = {
  secret: "s",
  recoveryCodeHashes: ["r"],
  lastStep: 7,
  pendingSecret: null,
  pendingRecoveryCodeHashes: [],
};
const origin = { svcJson: ["memoryMb"], isVersionChosen: true, entry: "index.js" };
const uploaded = {
  projectId: "p1",
  number: 1,
  sha256: "a".repeat(64),
  sizeBytes: 2 ** 40,
  trigger: "upload",
  by: { kind: "key", name: "deploy" },
  settings: sampleSettings(),
  rolledBackFrom: null,
  createdAt: now,
} as const;
const failed = { code: "install_failed", details: [{ code: "upload_on_damaged_disk" }] } as const;
const failure = {
  id: "f1",
  projectId: "p1",
  at: now,
  kind: "install_failed",
  versionNumber: 1,
  error: failed,
} as const;
const page = { before: undefined, limit: 10 };

/** Each in a transaction of its own, in this order: later ones find what earlier ones wrote. */
export const tableCalls: readonly ((tx: Transaction) => Promise<unknown>)[] = [
  (tx) => table.saveSetting(tx, "name", "value"),
  (tx) => table.saveSetting(tx, "name", "other"),
  (tx) => table.findSetting(tx, "name"),

  (tx) => table.insertAccount(tx, { ...ana, ...standing }),
  (tx) => table.insertAccount(tx, { ...ana, ...standing, id: "a2", name: "Bia" }),
  (tx) => table.updateAccount(tx, "a2", { plan: "Stack", suspendedAt: now, stopsAt: now, betaEndsAt: now }),
  (tx) => table.findAccount(tx, "a2"),
  (tx) => table.listAccounts(tx, { after: undefined, limit: 10 }),
  (tx) => table.listAccounts(tx, { after: "a1", limit: 10 }),
  (tx) => table.listAccountsNamed(tx, "Ana", 10),
  (tx) => table.listEndedBetas(tx, now, 10),

  (tx) => table.insertActivity(tx, { ...entry, id: "e1" }),
  (tx) => table.insertActivity(tx, { ...entry, id: "e2", action: "project.restore", project: null }),
  (tx) => table.listActivity(tx, "a1", page),
  (tx) => table.listActivity(tx, "a1", { ...page, before: "e2" }),
  (tx) => table.listProjectActivity(tx, "p1", { ...page, actions: ["project.stop"] }),
  (tx) => table.listProjectActivity(tx, "p1", { ...page, actions: ["project.stop"], before: "e2" }),
  (tx) => table.listRestored(tx, "e1", 10),
  (tx) => table.listServiceStops(tx, "a1", now),
  (tx) => table.deleteActivityBelow(tx, "e2", 10),

  (tx) => table.insertAudit(tx, { ...audited, id: "e1" }),
  (tx) => table.insertAudit(tx, { ...audited, id: "e2", before: { name: "one" }, after: { name: "two" } }),
  (tx) => table.listAudit(tx, page),
  (tx) => table.listAudit(tx, { ...page, before: "e2" }),
  (tx) => table.deleteAuditBelow(tx, "e2", 10),

  (tx) =>
    table.insertOperator(tx, {
      id: "o1",
      name: "Rui",
      role: "owner",
      prefix: "op_",
      expiresAt: now,
      createdAt: now,
      tokenHash: "t",
    }),
  (tx) => table.findOperatorByHash(tx, "t", now - 1),
  (tx) => table.findOperator(tx, "o1"),
  (tx) => table.listOperators(tx),
  (tx) => table.deleteOperator(tx, "o1"),

  (tx) =>
    table.insertKey(tx, {
      id: "k1",
      accountId: "a1",
      name: "key",
      prefix: "svc_",
      scopes: [],
      createdAt: now,
      lastUsedAt: null,
      hash: "k",
    }),
  (tx) => table.saveKeyUses(tx, [["k1", now]]),
  (tx) => table.listKeys(tx, "a1"),
  (tx) => table.countKeys(tx, "a1"),
  (tx) => table.findKey(tx, "k1"),
  (tx) => table.findKeyByHash(tx, "k"),
  (tx) => table.revokeKey(tx, "k1", now),
  (tx) => table.deleteKeysRevokedBefore(tx, now + 1, 10),

  (tx) => table.saveRateWindows(tx, [windowsOf(1)]),
  (tx) => table.saveRateWindows(tx, [windowsOf(2)]),
  (tx) => table.findRateWindows(tx, "a1"),
  (tx) => table.deleteRateWindows(tx, now),
  (tx) => table.keepAnswer(tx, { ...answered, answer: "{}" }),
  (tx) => table.keepAnswer(tx, { ...answered, answer: "[]" }),
  (tx) => table.findKeptAnswer(tx, { accountId: "a1", key: "key", createdAfter: now - 1 }),
  (tx) => table.deleteKeptAnswers(tx, now),

  (tx) => table.insertPerson(tx, { id: "u1", accountId: "a1", name: "Ana", email: "ana@example.org", now }),
  (tx) => table.savePasswordHash(tx, { id: "c1", personId: "u1", hash: "hash", now }),
  (tx) => table.savePasswordHash(tx, { id: "c2", personId: "u1", hash: "other", now }),
  (tx) => table.findPasswordHash(tx, "u1"),
  (tx) => table.clearPassword(tx, "u1"),
  (tx) => table.saveTwoFactor(tx, "u1", twoFactor),
  (tx) => table.saveTwoFactor(tx, "u1", { ...twoFactor, lastStep: 8 }),
  (tx) => table.findTwoFactor(tx, "u1"),
  (tx) => table.hasTwoFactors(tx),
  (tx) => inAnyOrder(table.listAuthenticators(tx)),
  (tx) => table.saveOperatorPerson(tx, { personId: "u1", role: "owner", now }),
  (tx) => table.findOperatorPerson(tx, "u1"),
  (tx) => table.listOperatorPeople(tx),
  (tx) => table.deleteOperatorPerson(tx, "u1"),
  (tx) => table.findPerson(tx, "u1"),
  (tx) => table.findPersonByEmail(tx, "ana@example.org"),
  (tx) => table.findPersonOfAccount(tx, "a1"),
  (tx) => table.deleteTwoFactor(tx, "u1"),
  (tx) => table.insertPendingSignUp(tx, signUp),
  (tx) => table.insertPendingSignUp(tx, { ...signUp, id: "w2", email: "bia@example.org" }),
  (tx) => table.countPendingSignUps(tx),
  (tx) => table.findPendingSignUp(tx, "w1"),
  (tx) => table.deletePendingSignUps(tx, "ana@example.org"),
  (tx) => table.deleteExpiredPendingSignUps(tx, now + 1),
  (tx) => table.insertPasskey(tx, phone),
  (tx) => table.insertPasskey(tx, { ...phone, id: "k2", credentialId: "BBBB", lastUsedAt: now }),
  (tx) => table.renamePasskey(tx, "k1", "new phone"),
  (tx) => table.notePasskeyUse(tx, "k1", { counter: 8, isSynced: false, usedAt: now + 1 }),
  (tx) => table.findPasskey(tx, "u1", "k1"),
  (tx) => table.findPasskeyByCredential(tx, "BBBB"),
  (tx) => table.listPasskeys(tx, "u1"),
  (tx) => table.countPasskeys(tx, "u1"),
  (tx) => table.deletePasskey(tx, "k1"),
  (tx) => table.deletePasskeys(tx, "u1"),
  (tx) => table.saveSignInPlace(tx, placeAt(now)),
  (tx) => table.saveSignInPlace(tx, placeAt(now + 1)),
  (tx) => table.saveSignInPlace(tx, { ...placeAt(now + 2), address: "192.0.2.2" }),
  (tx) => table.listSignInPlaces(tx, "u1"),
  (tx) => table.forgetSignInPlaces(tx, "u1"),
  (tx) => table.insertSession(tx, { ...signedIn, id: "s1", tokenHash: "s1" }),
  (tx) => table.insertSession(tx, { ...signedIn, id: "s2", tokenHash: "s2" }),
  (tx) => table.insertSession(tx, { ...signedIn, id: "s3", tokenHash: "s3" }),
  (tx) => table.touchSession(tx, "s1", { ...signedIn, userAgent: "browser" }),
  (tx) => table.saveSessionConfirmation(tx, "s1", now),
  (tx) => table.saveSessionPasskey(tx, "s1"),
  (tx) => table.findSession(tx, "s1"),
  (tx) => table.forgetSessionPasskeys(tx, "u1"),
  (tx) => table.findSession(tx, "s1"),
  (tx) => table.deleteOldestSessions(tx, "u1", 2),
  (tx) => table.deleteOldestSessions(tx, "u1", 2),
  (tx) => table.listSessions(tx, "u1", now),
  (tx) => table.deleteSessions(tx, "u1", "s3"),
  (tx) => table.deleteSession(tx, "u1", "s3"),
  (tx) => table.deleteExpiredSessions(tx, now),
  (tx) => table.deleteSessions(tx, "u1", null),
  (tx) => table.insertVerification(tx, tokenOf("v1")),
  (tx) => table.findVerification(tx, "v1"),
  (tx) => table.takeVerification(tx, "v1"),
  (tx) => table.insertVerification(tx, tokenOf("v2")),
  (tx) => table.deleteVerifications(tx, []),
  (tx) => table.deleteVerifications(tx, ["password u1", "other"]),
  (tx) => table.deleteExpiredVerifications(tx, now),

  (tx) => table.insertJoinToken(tx, { hash: "j1", expiresAt: now, createdAt: now }),
  (tx) => table.insertJoinToken(tx, { hash: "j2", expiresAt: now + 1, createdAt: now, memoryCapMb: 1024 }),
  (tx) => table.hasJoinToken(tx, "j2", now),
  (tx) => table.useJoinToken(tx, "j2", now),
  (tx) => table.deleteExpiredJoinTokens(tx, now, 10),
  (tx) => table.insertHost(tx, { id: "h1", name: "one", publicKey: "one", createdAt: now }),
  (tx) => table.insertHost(tx, { id: "h2", name: "two", publicKey: "two", createdAt: now, memoryCapMb: 1 }),
  (tx) => table.isHostNameTaken(tx, "one"),
  (tx) => table.saveEpochAhead(tx, "h1", 1_000_000),
  (tx) => table.findEpochAhead(tx, "h1"),
  (tx) => table.clearEpochsAhead(tx),
  (tx) => table.saveHostSeen(tx, "h1", { build: "1", resources, seenAt: now }),
  (tx) => table.saveMemoryCap(tx, "h1", 67_108_864),
  (tx) =>
    table.saveHostsHeard(tx, [
      ["h1", now - 1],
      ["h2", now],
    ]),
  (tx) => table.saveTakenSequence(tx, "h1", 2 ** 40),
  (tx) => table.findHost(tx, "h1"),
  (tx) => table.findHostOfKey(tx, "two"),
  (tx) => table.saveMeshRange(tx, "h1", "10.200.0.0/21"),
  (tx) =>
    table.saveMeshOwn(tx, "h1", {
      key: "k",
      port: 1,
      range: "10.200.0.0/21",
      address: null,
      next: { key: `${"n".repeat(42)}A=`, sinceMs: now },
    }),
  (tx) => table.listMeshHosts(tx),
  (tx) => table.saveImageOverride(tx, { language: "node", version: "24", reference: "a" }, now),
  (tx) => table.saveImageOverride(tx, { language: "node", version: "24", reference: "b" }, now),
  (tx) => table.findImageReference(tx, { language: "node", version: "24" }),
  (tx) => table.listImageOverrides(tx),
  (tx) => table.deleteImageOverride(tx, { language: "node", version: "24" }),

  (tx) => table.insertProject(tx, bot),
  (tx) => table.insertProject(tx, site),
  (tx) => table.insertVersion(tx, uploaded),
  (tx) => table.insertVersion(tx, { ...uploaded, projectId: "p2" }),
  (tx) => table.replaceVersion(tx, { ...uploaded, projectId: "p2", sizeBytes: 1 }),
  (tx) => table.insertVersion(tx, { ...uploaded, number: 2, trigger: "rollback", rolledBackFrom: 1 }),
  (tx) => table.saveVersionOutcome(tx, uploaded, { finishedAt: now, cameUpAt: now, error: failed }),
  (tx) => table.findSettingsOrigin(tx, { projectId: "p1", number: 1 }),
  (tx) => table.saveSettingsOrigin(tx, { projectId: "p1", number: 1, origin }),
  (tx) => table.findSettingsOrigin(tx, { projectId: "p1", number: 1 }),
  (tx) => table.listVersions(tx, "p1"),
  (tx) => table.saveVersionOutcome(tx, uploaded, { finishedAt: null, cameUpAt: null, error: null }),
  (tx) => table.findVersion(tx, "p1", 1),
  (tx) => table.findVersion(tx, "p1", 9),
  (tx) =>
    table.saveVariables(tx, { projectId: "p1", revision: "r1", sealed: { keyId: "m1", ciphertext: "c" } }),
  (tx) =>
    table.saveVariables(tx, { projectId: "p1", revision: "r2", sealed: { keyId: "m1", ciphertext: "c" } }),
  (tx) => table.findVariables(tx, "p1"),
  (tx) => table.hasVariables(tx),
  (tx) => table.listVariables(tx, ["p1", "p2"]),
  (tx) => table.listVariables(tx, []),
  (tx) => table.listVariablesOfOtherKeys(tx, { keyId: "m2", after: "", limit: 10 }),
  (tx) => table.countVariablesByKey(tx),
  (tx) =>
    table.updateProject(
      tx,
      "p1",
      {
        name: "other",
        description: "text",
        settings: sampleSettings({ memoryMb: 100 }),
        runningSettings: sampleSettings({ memoryMb: 200 }),
        startConfigTag: "tag",
        subdomain: "bot",
        servedSubdomain: "bot",
        run: "on",
        restartCount: 1,
        versionNumber: 1,
      },
      now + 1,
    ),
  (tx) => table.updateProject(tx, "p2", {}, now),
  (tx) => table.raiseProjectRevision(tx, "p2"),
  (tx) => table.saveDeparture(tx, { hostId: "h1", projectId: "p1", reason: "moved", createdAt: now }),
  (tx) => table.saveDeparture(tx, { hostId: "h1", projectId: "p1", reason: "deleted", createdAt: now }),
  (tx) => table.wantedChanged(tx, "h1", ["p1", "p2"]),
  (tx) => table.wantedChanged(tx, "h1", []),
  (tx) => table.wantedChangedOf(tx, [{ id: "p1", hostId: "h1" }]),
  (tx) => table.wantedChangedOf(tx, []),
  (tx) => table.listDepartures(tx, "h1"),
  (tx) => table.listDepartures(tx, "h1", 1),
  (tx) => table.deleteDeparture(tx, "h1", "p1"),
  (tx) => table.saveObserved(tx, "p1", sampleState()),
  (tx) => table.saveObserved(tx, "p2", null),
  (tx) => table.savePlacement(tx, { ...placed, observed: null }),
  (tx) => table.savePlacement(tx, { ...placed, observed: sampleState() }),
  (tx) => table.findProject(tx, "p1"),
  (tx) => table.listProjects(tx, "a1"),
  (tx) => table.listProjectsAfter(tx, "a1", { after: undefined, limit: 1 }),
  (tx) => table.listProjectsAfter(tx, "a1", { after: "p1", limit: 1 }),
  (tx) => table.listProjectsOfHost(tx, "h1"),
  (tx) => table.updateAccount(tx, "a1", { stopsAt: now }),
  (tx) => table.listOverdueProjects(tx, now, 10),
  (tx) => inAnyOrder(table.listSubdomainHolders(tx, "shop")),
  (tx) => table.findProjectServedAt(tx, "shop"),
  (tx) => inAnyOrder(table.listPlacements(tx, { hostId: "h1" })),
  (tx) => inAnyOrder(table.listPlacements(tx, { projectIds: ["p1", "p2", "p3"] })),
  (tx) => table.listPlacements(tx, { projectIds: [] }),
  (tx) => table.listPlacedProjects(tx, "h1"),
  (tx) => table.listProjectIds(tx, "a1"),
  (tx) => table.listExistingProjects(tx, ["p1", "p3"]),
  (tx) => table.listExistingProjects(tx, []),
  (tx) => table.listAssignments(tx, "h1", null),
  (tx) => table.listAssignments(tx, "h1", { projectIds: ["p1"] }),
  (tx) => table.listAssignments(tx, "h1", { projectIds: [] }),
  (tx) => table.listAssignments(tx, "h1", { revision: 1, withheld: [] }),
  (tx) => table.listAssignments(tx, "h1", { revision: 10, withheld: ["p2"] }),
  (tx) => table.findArchiveOfHost(tx, "h1", uploaded.sha256),
  (tx) => table.isArchiveUsed(tx, uploaded.sha256),
  (tx) => table.listHosts(tx),
  (tx) => table.findHostWithLoad(tx, "h2"),
  (tx) => inAnyOrder(table.listHostIds(tx)),
  (tx) => table.sumUsage(tx, "a1"),
  (tx) => table.sumUsage(tx, "a1", "p1"),
  (tx) => table.sumUsage(tx, "none"),
  (tx) => table.listMemoryHolders(tx, "a1", { exceptProjectId: null, isOn: false, limit: 5 }),
  (tx) => table.listMemoryHolders(tx, "a1", { exceptProjectId: "p1", isOn: true, limit: 1 }),
  (tx) => table.sumUsageByAccount(tx),
  (tx) => table.insertExit(tx, exitOf(1)),
  (tx) => table.insertExit(tx, exitOf(2)),
  (tx) => table.listExits(tx, "p1", page),
  (tx) => table.listExits(tx, "p1", { ...page, before: { at: now, runNumber: 2 } }),
  (tx) => table.deleteExitsBefore(tx, now + 1, 1),
  (tx) => table.saveReplacedFiles(tx, replacedOf(1)),
  (tx) => table.saveReplacedFiles(tx, replacedOf(1)),
  (tx) => table.saveReplacedFiles(tx, replacedOf(2)),
  (tx) => table.listReplacedFiles(tx, "p1", page),
  (tx) => table.listReplacedFiles(tx, "p1", { ...page, before: { at: now, versionNumber: 2 } }),
  (tx) => table.deleteReplacedFilesBefore(tx, now + 1, 1),
  (tx) => table.insertNotice(tx, noted("n1")),
  (tx) => table.insertNotice(tx, { ...noted("n2"), subject: "p2", projectId: null }),
  (tx) => table.insertNotice(tx, { ...noted("n3"), readAt: now }),
  (tx) => table.findNewestNotice(tx, { accountId: "a1", kind: "test", subject: "p1" }),
  (tx) => table.repeatNotice(tx, "n1", { lastAt: now + 1, content: { kind: "test" } }),
  (tx) => table.findNotice(tx, "a1", "n1"),
  (tx) => table.listNotices(tx, "a1", { ...page, isUnread: false }),
  (tx) => table.listNotices(tx, "a1", { ...page, before: "n3", isUnread: true }),
  (tx) => table.countUnreadNotices(tx, "a1"),
  (tx) => table.markNoticeRead(tx, "n1", now),
  (tx) => table.markAllNoticesRead(tx, "a1", now),
  (tx) => table.ensureNoticeChannel(tx, { ...mailed, kinds: ["limit"] }),
  (tx) => table.ensureNoticeChannel(tx, { ...mailed, kinds: [] }),
  (tx) => table.saveNoticeChannel(tx, { ...hooked, kinds: ["limit"], sealed: sealedBy("m1") }),
  (tx) => table.saveNoticeChannel(tx, { ...hooked, kinds: [], sealed: sealedBy("m2") }),
  (tx) => table.saveChannelFailure(tx, { ...hooked, error: { code: "status", status: 500, at: now } }),
  (tx) => table.saveChannelFailure(tx, { ...hooked, error: { code: "timeout", status: null, at: now + 1 } }),
  (tx) => table.listNoticeChannels(tx, "a1"),
  (tx) => table.listFailingChannels(tx, { since: now, limit: 10 }),
  (tx) => table.saveChannelNoted(tx, { ...hooked, at: now }),
  (tx) => table.listFailingChannels(tx, { since: now, limit: 10 }),
  (tx) => table.saveChannelSuccess(tx, { ...mailed, at: now }),
  (tx) => table.countChannelsByKey(tx),
  (tx) => table.listChannelsOfOtherKeys(tx, { keyId: "m1", after: "", limit: 10 }),
  (tx) => table.saveChannelSeal(tx, { ...hooked, sealed: sealedBy("m1") }),
  (tx) => table.listChannelsOfOtherKeys(tx, { keyId: "m1", after: "", limit: 10 }),
  (tx) => table.insertDelivery(tx, { ...delivered("n1"), at: now }),
  (tx) => table.insertDelivery(tx, { ...delivered("n2"), at: now }),
  (tx) => table.insertDelivery(tx, { ...delivered("n3"), channel: "email", at: now }),
  (tx) => table.countDeliveries(tx, "a1"),
  (tx) => inAnyOrder(table.listDueDeliveries(tx, { ...due, now })),
  (tx) => table.claimDelivery(tx, { ...delivered("n1"), now, leaseUntil: now + 60_000 }),
  (tx) => table.claimDelivery(tx, { ...delivered("n1"), now, leaseUntil: now + 60_000 }),
  (tx) => table.putOffDelivery(tx, { ...delivered("n1"), until: now + 1 }),
  (tx) => table.putOffChannel(tx, { ...hooked, until: now + 2 }),
  (tx) => table.listDueDeliveries(tx, { ...due, now: now + 1 }),
  (tx) => table.deleteDelivery(tx, delivered("n1")),
  (tx) => table.deleteDeliveriesOfChannel(tx, hooked),
  (tx) => table.deleteDeliveriesBelow(tx, "n9", 10),
  (tx) => table.deleteNoticeChannel(tx, hooked),
  (tx) => table.deleteNoticesBeyond(tx, "a1", 2),
  (tx) => table.deleteNoticesBeyond(tx, "a1", 2),
  (tx) => table.deleteNoticesBelow(tx, "n3", 10),
  (tx) => inAnyOrder(table.listLimitedProjects(tx, "h1")),
  (tx) => table.saveNoticeLevel(tx, { projectId: "p1", resource: "disk", percent: 75 }),
  (tx) => table.saveNoticeLevel(tx, { projectId: "p1", resource: "disk", percent: 90 }),
  (tx) => table.listNoticeLevels(tx, "h1"),
  (tx) => table.saveNoticeLevel(tx, { projectId: "p1", resource: "disk", percent: 0 }),
  (tx) => table.insertAnnouncement(tx, announced),
  (tx) => table.insertAnnouncement(tx, { ...announced, id: "n2", host: { id: "h1", name: "one" } }),
  (tx) => table.listAnnouncements(tx, 10),
  (tx) => table.findOpenAnnouncement(tx),
  (tx) => table.saveAnnouncementReach(tx, { ...announced, toldAfter: "a1", accounts: 1, completedAt: now }),
  (tx) => table.findOpenAnnouncement(tx),
  (tx) => table.listAccountsOnHost(tx, { hostId: "h1", after: "", limit: 10 }),
  (tx) => table.deleteAnnouncementsBelow(tx, "n3", 10),
  (tx) => table.insertProjectEvent(tx, failure),
  (tx) => table.insertProjectEvent(tx, { ...failure, id: "f2", kind: "crash_loop" }),
  (tx) => table.listProjectEvents(tx, "p1", page),
  (tx) => table.listProjectEvents(tx, "p1", { ...page, before: "f2" }),
  (tx) => table.deleteProjectEventsBelow(tx, "f2", 10),
  (tx) => table.revokeHost(tx, "h2", now),
  (tx) => table.deleteVersionsBelow(tx, "p1", { keepFrom: 3, kept: [1] }),
  (tx) => table.listVersions(tx, "p1"),
  (tx) => table.deleteVersionsBelow(tx, "p1", { keepFrom: 2, kept: [] }),
  (tx) => table.deleteVariables(tx, "p1"),
  (tx) =>
    table.saveSiteSettings(tx, {
      projectId: "p1",
      settings: {
        maintenance: true,
        hsts: false,
        compression: true,
        healthPath: null,
        drainSeconds: null,
        deploy: "hold",
        protocol: "http1",
        accessLog: "off",
      },
      updatedAt: now,
    }),
  (tx) => table.findSiteSettings(tx, "p1"),
  (tx) => table.saveSitePage(tx, ownPage),
  (tx) => table.saveSitePage(tx, { ...ownPage, html: "<p>é", sizeBytes: 5 }),
  (tx) => table.saveSitePage(tx, { ...ownPage, status: "maintenance" }),
  (tx) => table.listSitePages(tx, "p1"),
  (tx) => table.findSitePage(tx, "p1", "503"),
  (tx) => table.deleteSitePage(tx, "p1", "503"),
  (tx) => table.insertDomain(tx, ownDomain),
  (tx) => table.insertDomain(tx, { ...ownDomain, id: "d2", hostname: "www.loja.dev" }),
  (tx) => table.listDueDomains(tx, now, 10),
  (tx) => table.saveDomainCheck(tx, { ...ownDomain, status: "active", checkedAt: now, nextCheckAt: null }),
  (tx) => table.findDomain(tx, "d1"),
  (tx) => table.findDomainOfAccount(tx, "a1", "www.loja.dev"),
  (tx) => table.findActiveDomain(tx, "loja.dev"),
  (tx) => table.findActiveHostname(tx, "loja.dev"),
  (tx) => table.findAccountOfDomain(tx, "loja.dev"),
  (tx) => table.listActiveHostnames(tx),
  (tx) => table.listProvenHostnames(tx),
  (tx) => table.listDomainsOfProject(tx, "p1"),
  (tx) => table.countDomains(tx, "a1"),
  (tx) => table.countDomainsByAccount(tx),
  (tx) => table.deleteDomain(tx, { id: "d2", accountId: "a1" }),
  (tx) => table.keepSubdomain(tx, { subdomain: "kept", accountId: "a1", keptUntil: now + 1 }),
  (tx) => table.keepSubdomain(tx, { subdomain: "kept", accountId: "a1", keptUntil: now + 2 }),
  (tx) => table.findSubdomainKeeper(tx, "kept", now),
  (tx) => table.deleteSubdomainsKeptBefore(tx, now + 2, 10),
  (tx) => table.listSubdomains(tx),
  (tx) => table.listMeshProjects(tx, null),
  (tx) => table.listMeshProjects(tx, ["p1"]),
  (tx) => table.listServedSites(tx, null),
  (tx) => table.listServedSites(tx, ["p1"]),
  (tx) => table.deleteProject(tx, "p1"),
  (tx) => table.listProjects(tx, "a1"),

  (tx) => table.insertGateway(tx, { id: "g1", name: "gateway-1", publicKey: "key", createdAt: now }),
  (tx) => table.saveGatewaySeen(tx, "g1", { build: "1", machine: "boot/net", seenAt: now }),
  (tx) => table.findGateway(tx, "g1"),
  (tx) => table.findGatewayOfKey(tx, "key"),
  (tx) => table.listGateways(tx),
  (tx) => table.revokeGateway(tx, "g1", now),
  (tx) => table.revokeGateway(tx, "g1", now),

  (tx) => table.insertAcmeKey(tx, { id: "k1", sealed: sealedBy("m1"), createdAt: now }),
  (tx) => table.saveAcmeKeySeal(tx, { id: "k1", sealed: sealedBy("m2") }),
  (tx) => table.findAcmeKey(tx),
  (tx) => table.insertCertificate(tx, ownCertificate),
  (tx) => table.insertCertificate(tx, { ...ownCertificate, id: "c2", kind: "authority" }),
  (tx) => table.insertCertificate(tx, { ...ownCertificate, id: "c3", kind: "acme", renewal }),
  (tx) => table.saveRenewal(tx, { id: "c3", renewal: { ...renewal, window: null } }),
  (tx) => table.saveCertificateSeal(tx, { id: "c3", sealed: sealedBy("m2") }),
  (tx) => table.findAuthorityRow(tx),
  (tx) => table.listCertificates(tx),
  (tx) => table.listServableCertificates(tx),
  (tx) => table.findCertificateOfDomain(tx, "d1"),
  (tx) => table.listCertificatesOfOtherKeys(tx, { keyId: "m2", after: "", limit: 10 }),
  (tx) => table.countCertificatesByKey(tx),
  (tx) => table.deleteCertificate(tx, "c1"),
  (tx) => table.saveFailedOrder(tx, failedOrder),
  (tx) => table.saveFailedOrder(tx, { ...failedOrder, failures: 2 }),
  (tx) => table.listFailedOrders(tx),
  (tx) => table.deleteFailedOrder(tx, failedOrder.names),
  (tx) => table.insertFailures(tx, { names: ["a.dev", "b.dev"], at: now, keptSince: now - 1 }),
  (tx) => table.insertFailures(tx, { names: ["a.dev"], at: now + 1, keptSince: now }),
  (tx) => table.listNamesFailing(tx, { since: now, atLeast: 2 }),
  (tx) => table.insertSiteIssue(tx, { names: ["a.dev"], at: now, keptSince: now - 1 }),
  (tx) => table.countSiteIssues(tx, now - 1),
];

const tiers = [
  { stepSeconds: 60, ats: [0, 60] },
  { stepSeconds: 3600, ats: [0] },
];

/** As {@link tableCalls}, of metrics. */
export const metricCalls: readonly ((metrics: MetricDatabase) => Promise<unknown>)[] = [
  (db) => metric.addStep(db, { stepSeconds: 60, at: 0, sums: [sumsOf("p1", 5), sumsOf("p2", null)] }, [hour]),
  (db) => metric.addStep(db, { stepSeconds: 60, at: 0, sums: [sumsOf("p1", 7), sumsOf("p2", 6)] }, [hour]),
  (db) => metric.listDue(db),
  (db) => metric.rollUpStep(db, hour, { stepSeconds: 60, ats: [0, 60] }),
  (db) => metric.rollUpStep(db, hour, { stepSeconds: 60, ats: [0, 60] }),
  (db) => metric.listDue(db),
  (db) => inAnyOrder(metric.listSteps(db, "p1", tiers)),
  (db) => metric.listSteps(db, "p1", [{ stepSeconds: 60, ats: [] }]),
  (db) => inAnyOrder(metric.listProjectSums(db, ["p1", "p2", "p9"], { stepSeconds: 120, tiers })),
  (db) => metric.listProjectSums(db, [], { stepSeconds: 120, tiers }),
  (db) => metric.listMetricProjects(db, 0, 10),
  (db) => metric.deleteStepsBefore(db, { stepSeconds: 60, before: 60, limit: 10 }),
  async (db) => [...(await metric.numbersOf(db, [{ projectId: "p1" }]))],
  (db) => metric.addVisits(db, [visitsOf("p1", 0), visitsOf("p1", 900), visitsOf("p2", 0)]),
  (db) => metric.addVisits(db, [visitsOf("p1", 0)]),
  async (db) =>
    (await metric.listVisitSums(db, "p1", { stepSeconds: 3600, ats: [0, 3600] })).map(({ at, sums }) => ({
      at,
      ...sums.encode(),
    })),
  async (db) => encodeTops(await metric.sumVisitTops(db, "p1", [0, 3600])),
  (db) => metric.closeVisitTops(db, { before: 1, limit: 10 }),
  (db) => metric.deleteVisitsBefore(db, { stepSeconds: 3600, before: 0 }),
  (db) => metric.deleteVisitsBefore(db, { stepSeconds: 900, before: 900 }),
  (db) => metric.deleteMetricProject(db, { number: 1, id: "p1" }, tiers),
  (db) => metric.listMetricProjects(db, 0, 10),
];
const hour = { stepSeconds: 3600, at: 0 };

function visitsOf(projectId: string, at: number): metricVisits.VisitCounts {
  const paths = new TopValues();
  paths.count("/", 2 ** 40, 7);
  const sums = new VisitSums();
  sums.requests = 1;
  sums.bytes = 2 ** 40;
  return { projectId, at, sums, tops: new Map([["paths", paths]]) };
}

/** Sums beyond what a 4-byte integer holds. */
function sumsOf(projectId: string, diskMb: number | null): metricSteps.StepSums {
  return {
    projectId,
    covered_ms: 60_000,
    memory_mb_ms: 2 ** 40,
    cpu_usec: 2 ** 33,
    network_in_bytes: 2 ** 41,
    network_out_bytes: 0,
    disk_mb: diskMb,
  };
}

const windowsOf = (used: number) => ({
  accountId: "a1",
  minute: { startedAt: now, used },
  day: { startedAt: now, used },
});
const answered = { accountId: "a1", key: "key", fingerprint: "f", createdAt: now };
const placeAt = (seenAt: number) => {
  return { personId: "u1", address: "192.0.2.1", userAgent: "browser", seenAt, kept: 1 };
};
const tokenOf = (id: string) => {
  const times = { expires_at: now + 1, created_at: now, updated_at: now };
  return { id, identifier: id, value: "password u1", ...times };
};
const resources = {
  cpuCount: 2,
  memoryMb: 8192,
  diskMb: 100_000,
  diskFreeMb: 50_000,
  operatingSystem: "Debian",
  architecture: "x64",
};
const placed = { projectId: "p1", hostId: "h1", generation: 2, revision: 3 };
const replacedOf = (versionNumber: number) => ({
  projectId: "p1",
  versionNumber,
  at: now,
  count: 2,
  paths: ["data.db", "a/b"],
});
const ownPage = { projectId: "p1", status: "503", html: "<p>", sizeBytes: 3, updatedAt: now } as const;

const ownDomain: domain.DomainRow = {
  id: "d1",
  projectId: "p1",
  accountId: "a1",
  hostname: "loja.dev",
  status: "pending",
  redirectTo: null,
  seen: { txt: ["a"], cname: null, addresses: [], challenge: null, isReachedThroughOthers: false },
  error: { code: "wrong_address", addresses: ["192.0.2.1"] },
  createdAt: now,
  checkedAt: null,
  nextCheckAt: now,
  proofMissingSince: null,
  missingNotedAt: null,
};
const ownCertificate: certificate.CertificateRow = {
  id: "c1",
  kind: "own",
  names: ["loja.dev", "*.loja.dev"],
  chain: "PEM",
  sealed: { keyId: "m1", ciphertext: "c" },
  beginsAt: now,
  endsAt: now + 1,
  createdAt: now,
  renewal: null,
  domainId: null,
};
const renewal: certificate.CertificateRenewal = {
  directory: "https://acme.test/directory",
  renewAt: now,
  window: "from/to",
  askAt: now,
};
const failedOrder: certificateOrder.FailedOrder = {
  names: ["loja.dev"],
  failures: 1,
  nextTryAt: now,
  fault: "refused",
  detail: "text",
  failedAt: now,
};
const exitOf = (sequence: number) => ({
  projectId: "p1",
  hostId: "h1",
  sequence,
  runNumber: sequence,
  exit: { code: 1, isOutOfMemory: true, exitedAt: new Date(now).toISOString() },
  isCrash: true,
});

function noted(id: string): notice.NoticeRow {
  const times = { at: now, lastAt: now, count: 1, readAt: null };
  return { id, accountId: "a1", subject: "p1", projectId: "p1", content: { kind: "test" }, ...times };
}
const mailed = { accountId: "a1", channel: "email" } as const;
const hooked = { accountId: "a1", channel: "webhook" } as const;
const delivered = (noticeId: string) => ({ noticeId, ...hooked });
const sealedBy = (keyId: string) => ({ keyId, ciphertext: "c" });
const due = { channels: ["email", "webhook"], limit: 10 } as const;
const announced = {
  id: "n1",
  at: now,
  text: "text",
  host: null,
  by: "Rui",
  toldAfter: "",
  accounts: 0,
  completedAt: null,
};
