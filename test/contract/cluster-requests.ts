/**
 * Defines what each of the operators' operations is called with, so that only the caller decides. An
 * operation that is missing here does not compile.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeId, type ClusterOperationName } from "@tijolo/protocol";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { withTwoFactor } from "../support/people/two-factor.ts";

export interface ClusterRequest {
  /** Makes the parameters of the path; made anew for each call that is accepted. */
  params?: (cluster: TestCluster) => Promise<Record<string, string>>;
  /** With it, a parameter names nothing that there is. */
  missing?: Record<string, string>;
  query?: string;
  body?: object | ((params: Record<string, string>) => object);
  /** Result for a caller whom nothing refuses; default: the table's answer. */
  reached?: [status: number, code: string];
}

const anyId = () => makeId(Date.now(), randomBytes(10));
const python = { language: "python", version: "3.13" };

async function account(cluster: TestCluster): Promise<{ accountId: string }> {
  const { account } = await cluster.admin.createAccount({ body: { name: "Ana", plan: "Stack" } });
  return { accountId: account.id };
}

async function host(cluster: TestCluster): Promise<{ host: string }> {
  const { token } = await cluster.admin.createJoinToken({ body: {} });
  const name = `made-${randomBytes(4).toString("hex")}`;
  const identity = await loadIdentity(join(cluster.directory, `${name}.pem`));
  return { host: (await joinCluster({ centralUrl: cluster.centralUrl, token, name, identity })).hostId };
}

async function gateway(cluster: TestCluster): Promise<{ gateway: string }> {
  const { token } = await cluster.admin.createGatewayToken({});
  const name = `made-${randomBytes(4).toString("hex")}`;
  const identity = await loadIdentity(join(cluster.directory, `${name}.pem`));
  const { hostId } = await joinCluster({
    centralUrl: cluster.centralUrl,
    kind: "gateway",
    token,
    name,
    identity,
  });
  return { gateway: hostId };
}

const noAccount = { accountId: anyId() };
const noHost = { host: "nowhere" };
/** Returns the id of a project that does not exist. */
const anyProject = async () => ({ projectId: anyId() });

export const clusterRequests: Record<ClusterOperationName, ClusterRequest> = {
  listHosts: {},
  createJoinToken: { body: {} },
  getHost: { params: async () => ({ host: "host-1" }), missing: noHost },
  getHostHardware: { params: async () => ({ host: "host-1" }), missing: noHost },
  updateHost: { params: host, missing: noHost, body: { memoryMb: 4_096 } },
  revokeHost: { params: host, missing: noHost },
  listGateways: {},
  createGatewayToken: {},
  removeGateway: { params: gateway, missing: { gateway: "nowhere" } },
  listAccounts: {},
  createAccount: { body: { name: "Ana", plan: "Free" } },
  getClusterAccount: { params: account, missing: noAccount },
  changePlan: { params: account, missing: noAccount, body: { plan: "Tower" } },
  suspendAccount: { params: account, missing: noAccount, body: { graceMs: 60_000 } },
  resumeAccount: {
    async params(cluster) {
      const made = await account(cluster);
      await cluster.admin.suspendAccount({ ...made, body: {} });
      return made;
    },
    missing: noAccount,
  },
  endBeta: { params: account, missing: noAccount, body: { inMs: 3_600_000 } },
  cancelBetaEnd: {
    async params(cluster) {
      const made = await account(cluster);
      await cluster.admin.endBeta({ ...made, body: { inMs: 3_600_000 } });
      return made;
    },
    missing: noAccount,
  },
  createAccountKey: { params: account, missing: noAccount, body: { name: "made", level: "read" } },
  endAccountTwoFactor: {
    params: async (cluster) => ({ accountId: (await withTwoFactor(cluster)).ana.accountId }),
    missing: noAccount,
  },
  createPasswordLink: {
    // Not of the path: the body names the account.
    params: account,
    body: ({ accountId }) => ({ accountId, email: `${accountId?.toLowerCase()}@example.com` }),
  },
  createInvitation: { body: {} },
  listPlans: {},
  listOrphans: { query: "?host=host-1" },
  adoptOrphan: { params: anyProject, body: { host: "host-1" }, reached: [404, "not_found"] },
  removeOrphan: { params: anyProject, query: "?host=host-1" },
  listImages: { query: "?host=host-1" },
  pullImages: { body: { host: "host-1", images: [python] } },
  pruneImages: { body: { host: "host-1" } },
  setImage: { params: async () => python, body: { reference: "registry.example/python:3.13" } },
  unsetImage: { params: async () => python },
  getMasterKeys: {},
  rotateMasterKey: {},
  getAuthority: {},
  listCertificates: {},
  setCertificate: { body: { certificate: "", privateKey: "" }, reached: [422, "invalid_certificate"] },
  removeCertificate: { params: async () => ({ certificateId: anyId() }), reached: [404, "not_found"] },
  forgetVariables: { params: anyProject, reached: [404, "not_found"] },
  listOperators: {},
  addOperator: { body: { name: "made", role: "viewer" } },
  addOperatorPerson: {
    // Not of the path: the body names the person.
    params: async (cluster) => ({ email: (await PanelSession.signUp(cluster)).email }),
    body: ({ email }) => ({ email, role: "viewer" }),
  },
  createStartLink: {},
  revokeOperator: {
    async params(cluster) {
      const { operator } = await cluster.admin.addOperator({ body: { name: "made", role: "viewer" } });
      return { operatorId: operator.id };
    },
    missing: { operatorId: anyId() },
  },
  listAudit: {},
  listAnnouncements: {},
  announce: { body: { text: "Hoje às 22h." } },
};
