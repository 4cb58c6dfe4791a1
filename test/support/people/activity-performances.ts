/**
 * Defines how each operation that changes something is tried, and the entry that it leaves in the account's
 * activity.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ActivityAction, ClusterOperationName, OperationName, Operations } from "@tijolo/protocol";
import { issueToken } from "../../../central/src/app/people/auth-token.ts";
import { transact } from "../../../central/src/store/store.ts";
import { certificateFor } from "../certificates/made-certificate.ts";
import { newPassword } from "./account-recovery.ts";
import type { ActivePerson } from "./active-person.ts";
import { authenticatorCode } from "./authenticator.ts";
import type { PanelSession } from "./panel.ts";
import { atLocalhost, SoftPasskey } from "./soft-passkey.ts";
import { simulatedBot, type TestCluster } from "../cluster/test-cluster.ts";

export interface ActingPerson extends ActivePerson {
  cluster: TestCluster;
  /** Values that `prepare` left for `run`. */
  waiting: {
    token?: string;
    session?: PanelSession;
    sessionId?: string;
    codes?: string[];
    passkey?: SoftPasskey;
    passkeyId?: string;
  };
}

export interface Performance {
  action: ActivityAction;
  by: "key" | "session";
  prepare?: (world: ActingPerson) => Promise<unknown>;
  run: (world: ActingPerson) => Promise<unknown>;
  /** Parts of the entry's `before` and `after`. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/**
 * Names of the account's changes; operators' changes are in a record of their own:
 * `cluster-authorization.test.ts`.
 */
export type ChangeName = Exclude<
  { [Name in OperationName]: Operations[Name]["effect"] extends "change" ? Name : never }[OperationName],
  ClusterOperationName
>;

/** Variables whose values must be in no entry. */
export const variables = { TOKEN_DO_BOT: "valor-muito-secreto-1", OUTRA: "valor-muito-secreto-2" };

export const performances: Record<ChangeName, Performance | { exception: string }> = {
  createProject: {
    action: "project.create",
    by: "key",
    run: async ({ key }) => key.client.createProject({ fields: { start: "true" }, file: await file() }),
    after: { memoryMb: 256, language: "node" },
  },
  uploadCode: {
    action: "project.upload",
    by: "key",
    run: async ({ key, project }) =>
      key.client.uploadCode({ id: project.id, fields: {}, file: await file("sim exit 1") }),
    before: { command: "sim run", versionNumber: 1 },
    after: { command: "sim exit 1", versionNumber: 2 },
  },
  rollbackProject: {
    action: "project.rollback",
    by: "key",
    prepare: async ({ key, project }) => {
      await key.client.uploadCode({ id: project.id, fields: {}, file: await file("sim exit 1") });
      await project.is("stopped");
    },
    run: ({ key, project }) => key.client.rollbackProject({ id: project.id, number: 1 }),
    before: { command: "sim exit 1", versionNumber: 2 },
    after: { command: "sim run", versionNumber: 3, rolledBackFrom: 1 },
  },
  updateProject: {
    action: "project.settings",
    by: "key",
    run: ({ key, project }) =>
      key.client.updateProject({ id: project.id, body: { name: "novo nome", memoryMb: 512 } }),
    before: { name: "bot", memoryMb: 256 },
    after: { name: "novo nome", memoryMb: 512 },
  },
  deleteProject: {
    action: "project.delete",
    by: "session",
    run: ({ ana, project }) => ana.client.deleteProject({ id: project.id }),
    before: { name: "bot", type: "bot", language: "node", command: "sim run", memoryMb: 256 },
  },
  startProject: { action: "project.start", by: "key", run: ({ project }) => project.start() },
  stopProject: {
    action: "project.stop",
    by: "session",
    prepare: async ({ project }) => {
      await project.start();
      await project.is("running");
    },
    run: ({ ana, project }) => ana.client.stopProject({ id: project.id }),
  },
  restartProject: { action: "project.restart", by: "key", run: ({ project }) => project.restart() },
  restoreReplacedFiles: {
    action: "project.files_restore",
    by: "session",
    prepare: async ({ cluster, project }) => {
      await project.start();
      await project.is("running");
      const set = join(cluster.host.dataDirectory, "projects", project.id, "replaced", "1");
      await mkdir(set, { recursive: true });
      await writeFile(join(set, "data.db"), "old");
    },
    run: ({ ana, project }) =>
      ana.client.restoreReplacedFiles({ id: project.id, version: 1, body: { path: "data.db" } }),
    after: { versionNumber: 1, path: "data.db" },
  },
  addDomain: {
    action: "domain.add",
    by: "key",
    prepare: asSite,
    run: ({ key, project }) =>
      key.client.addDomain({ id: project.id, body: { hostname: "www.loja.com.br" } }),
    after: { hostname: "www.loja.com.br", redirectTo: null },
  },
  removeDomain: {
    action: "domain.remove",
    by: "session",
    prepare: withDomain,
    run: ({ ana, project }) => ana.client.removeDomain({ id: project.id, hostname: "www.loja.com.br" }),
    before: { hostname: "www.loja.com.br" },
  },
  setSiteSettings: {
    action: "project.site_settings",
    by: "key",
    run: ({ key, project }) =>
      key.client.setSiteSettings({ id: project.id, body: { maintenance: true, hsts: false } }),
    before: {
      maintenance: false,
      hsts: true,
      compression: true,
      healthPath: null,
      drainSeconds: null,
      deploy: "hold",
      protocol: "http1",
      accessLog: "off",
    },
    after: {
      maintenance: true,
      hsts: false,
      compression: true,
      healthPath: null,
      drainSeconds: null,
      deploy: "hold",
      protocol: "http1",
      accessLog: "off",
    },
  },
  setSitePage: {
    action: "project.site_page",
    by: "key",
    run: ({ key, project }) =>
      key.client.setSitePage({ id: project.id, status: "503", body: { html: "<p>Voltamos já." } }),
    before: { page: "503", sizeBytes: null },
    after: { page: "503", sizeBytes: 16 },
  },
  removeSitePage: {
    action: "project.site_page",
    by: "session",
    prepare: async ({ ana, project }) => {
      await ana.client.setSitePage({ id: project.id, status: "404", body: { html: "<p>Nada." } });
    },
    run: ({ ana, project }) => ana.client.removeSitePage({ id: project.id, status: "404" }),
    after: { page: "404", sizeBytes: null },
  },
  setDomainCertificate: {
    action: "domain.certificate",
    by: "key",
    prepare: withDomain,
    run: ({ key, project, secrets }) => {
      const body = certificateFor("www.loja.com.br");
      secrets.push(body.privateKey);
      return key.client.setDomainCertificate({ id: project.id, hostname: "www.loja.com.br", body });
    },
    before: { hostname: "www.loja.com.br", fingerprint: null },
  },
  removeDomainCertificate: {
    action: "domain.certificate",
    by: "session",
    prepare: async (world) => {
      await withDomain(world);
      const body = certificateFor("www.loja.com.br");
      await world.ana.client.setDomainCertificate({
        id: world.project.id,
        hostname: "www.loja.com.br",
        body,
      });
    },
    run: ({ ana, project }) =>
      ana.client.removeDomainCertificate({ id: project.id, hostname: "www.loja.com.br" }),
    after: { hostname: "www.loja.com.br", fingerprint: null, expiresAt: null },
  },
  verifyDomain: {
    exception: "it checks at once what is checked by itself; a domain that becomes active is an entry",
  },
  setVariables: {
    action: "project.variables",
    by: "key",
    run: ({ key, project, secrets }) => {
      secrets.push(...Object.values(variables));
      return key.client.setVariables({ id: project.id, body: { variables } });
    },
  },
  changeVariables: {
    action: "project.variables",
    by: "key",
    prepare: ({ key, project }) => key.client.setVariables({ id: project.id, body: { variables } }),
    run: ({ key, project, secrets }) => {
      secrets.push(...Object.values(variables), "valor-muito-secreto-3");
      return key.client.changeVariables({
        id: project.id,
        body: { variables: { OUTRA: null, NOVA: "valor-muito-secreto-3" } },
      });
    },
  },
  setNoticeChannels: {
    action: "account.notice_channels",
    by: "session",
    run: async ({ ana, secrets }) => {
      const url = "https://example.com/an-address-with-a-secret";
      const webhook = { url, kinds: ["limit" as const] };
      const body = { email: { kinds: [] }, discord: null, webhook };
      const { signingKey } = await ana.client.setNoticeChannels({ body });
      secrets.push(url, signingKey ?? "");
    },
    before: { webhookKinds: null },
    after: { emailKinds: [], webhookKinds: ["limit"] },
  },
  readNotice: { exception: "it says what was seen, and changes nothing of the account" },
  readAllNotices: { exception: "it says what was seen, and changes nothing of the account" },
  testNoticeChannels: { exception: "it changes nothing: what it sends is a notice" },
  createKey: {
    action: "key.create",
    by: "session",
    run: async ({ ana, secrets }) => {
      const { secret } = await ana.client.createKey({
        body: { name: "outra", level: "read", scopes: [], password: ana.password },
      });
      secrets.push(secret);
    },
    after: { name: "outra" },
  },
  revokeKey: { action: "key.revoke", by: "session", run: revokeKey, before: { name: "bot de deploy" } },
  createFirstPerson: { exception: "a test of its own: nobody has the account before" },
  signUp: { exception: "a test of its own: there is no account before" },
  confirmSignUp: { exception: "a test of its own: there is no account before" },
  signIn: { action: "account.sign_in", by: "session", run: ({ ana }) => ana.elsewhere() },
  signInTwoFactor: {
    action: "account.sign_in",
    by: "session",
    prepare: async (world) => {
      const { recoveryCodes } = await turnOnTwoFactor(world);
      world.waiting = { session: await world.ana.elsewhere(), codes: recoveryCodes };
    },
    run: async ({ waiting }) =>
      waiting.session?.client.signInTwoFactor({ body: { recoveryCode: waiting.codes?.[0] ?? "" } }),
  },
  signOut: { action: "account.sign_out", by: "session", run: ({ ana }) => ana.client.signOut() },
  endSession: {
    action: "account.session_end",
    by: "session",
    prepare: async (world) => {
      const other = await world.ana.elsewhere({ "user-agent": "Phone/1" });
      world.waiting = { session: other, sessionId: (await other.client.getSession()).session.id };
    },
    run: ({ ana, secrets, waiting }) => {
      secrets.push(...(waiting.session?.cookies.values() ?? []));
      return ana.client.endSession({ sessionId: waiting.sessionId ?? "" });
    },
    before: { address: "127.0.0.1", userAgent: "Phone/1" },
  },
  requestPasswordReset: {
    action: "account.password_reset_request",
    by: "session",
    run: ({ ana }) => ana.client.requestPasswordReset({ body: { email: ana.email } }),
  },
  resetPassword: {
    action: "account.password_reset",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      world.waiting = { token: await passwordLink(world) };
    },
    run: ({ ana, secrets, waiting }) => {
      secrets.push(newPassword);
      return ana.client.resetPassword({ body: { token: waiting.token ?? "", password: newPassword } });
    },
    after: { endedSessions: 1, revokedKeys: 0 },
  },
  changePassword: {
    action: "account.password_change",
    by: "session",
    run: ({ ana, secrets }) => {
      secrets.push(newPassword);
      return ana.client.changePassword({ body: { currentPassword: ana.password, newPassword } });
    },
  },
  confirmSession: { exception: "it says who sits there, and changes nothing of the account" },
  beginTwoFactor: { exception: "it prepares only: nothing is in force until confirmTwoFactor" },
  confirmTwoFactor: { action: "account.two_factor_on", by: "session", run: turnOnTwoFactor },
  endTwoFactor: {
    action: "account.two_factor_off",
    by: "session",
    prepare: turnOnTwoFactor,
    run: ({ ana }) => ana.client.endTwoFactor({ body: { password: ana.password } }),
  },
  renewRecoveryCodes: {
    action: "account.recovery_codes",
    by: "session",
    prepare: turnOnTwoFactor,
    run: async ({ ana, secrets }) => {
      secrets.push(
        ...(await ana.client.renewRecoveryCodes({ body: { password: ana.password } })).recoveryCodes,
      );
    },
  },
  beginPasskeyConfirmation: { exception: "it prepares only" },
  confirmSessionByPasskey: { exception: "it says who sits there, and changes nothing of the account" },
  beginPasskeySignIn: { exception: "it prepares only: signInPasskey signs in" },
  signInPasskey: {
    action: "account.sign_in",
    by: "session",
    prepare: async (world) => {
      world.waiting = { passkey: (await withPasskey(world)).authenticator };
    },
    run: async ({ ana, waiting }) => await waiting.passkey?.signIn(atLocalhost(ana, new Map())),
    after: { passkey: "Phone" },
  },
  beginPasskey: { exception: "it prepares only: there is no passkey until addPasskey" },
  addPasskey: { action: "account.passkey_add", by: "session", run: withPasskey, after: { name: "Phone" } },
  renamePasskey: {
    action: "account.passkey_rename",
    by: "session",
    prepare: async (world) => {
      world.waiting = { passkeyId: (await withPasskey(world)).passkey.id };
    },
    run: ({ ana, waiting }) =>
      ana.client.renamePasskey({ passkeyId: waiting.passkeyId ?? "", body: { name: "Laptop" } }),
    before: { name: "Phone" },
    after: { name: "Laptop" },
  },
  removePasskey: {
    action: "account.passkey_remove",
    by: "session",
    prepare: async (world) => {
      world.waiting = { passkeyId: (await withPasskey(world)).passkey.id };
    },
    run: ({ ana, waiting }) =>
      ana.client.removePasskey({ passkeyId: waiting.passkeyId ?? "", body: { password: ana.password } }),
    before: { name: "Phone" },
  },
  notMe: {
    action: "account.not_me",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      await world.ana.elsewhere();
    },
    run: ({ ana }) => ana.client.notMe(),
    after: { endedSessions: 2, revokedKeys: 0 },
  },
  notMeByLink: {
    action: "account.not_me",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      world.waiting = { token: await tokenOf(world, "not-me") };
    },
    run: ({ ana, waiting }) => ana.client.notMeByLink({ body: { token: waiting.token ?? "" } }),
    after: { endedSessions: 1, revokedKeys: 0 },
  },
};

async function withPasskey({ ana }: ActivePerson) {
  const authenticator = new SoftPasskey();
  return { authenticator, passkey: await authenticator.add(atLocalhost(ana)) };
}

/** Makes the project a site, as only those have domains. */
function asSite({ key, project }: ActingPerson): Promise<unknown> {
  return key.client.updateProject({ id: project.id, body: { type: "site", memoryMb: 512 } });
}

async function withDomain(world: ActingPerson): Promise<void> {
  await asSite(world);
  await world.ana.client.addDomain({ id: world.project.id, body: { hostname: "www.loja.com.br" } });
}

function file(command = "sim run"): Promise<File> {
  return simulatedBot(command);
}

function revokeKey({ ana, key }: ActivePerson): Promise<void> {
  return ana.client.revokeKey({ keyId: key.id });
}

async function turnOnTwoFactor({
  ana,
  secrets,
  cluster,
}: ActingPerson): Promise<{ uri: string; recoveryCodes: string[] }> {
  const prepared = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  secrets.push(...prepared.recoveryCodes, new URL(prepared.uri).searchParams.get("secret") ?? "");
  await ana.client.confirmTwoFactor({ body: { code: authenticatorCode(prepared.uri, cluster.clock.now()) } });
  return prepared;
}

async function tokenOf(world: ActingPerson, purpose: "not-me"): Promise<string> {
  const { app } = world.cluster.central;
  const { id } = await app.db
    .selectFrom("person")
    .select("id")
    .where("email", "=", world.ana.email)
    .executeTakeFirstOrThrow();
  const { token } = await transact(app.db, (tx) => issueToken(app, tx, { purpose, subject: id }));
  world.secrets.push(token);
  return token;
}

async function passwordLink(world: ActingPerson): Promise<string> {
  const { token } = (
    await world.cluster.operator.client().createPasswordLink({ body: { email: world.ana.email } })
  ).link;
  world.secrets.push(token);
  return token;
}
