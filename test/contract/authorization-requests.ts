/**
 * Defines what each operation is called with, so that only caller and id decide. An operation that is missing
 * here does not compile.
 */

import type { ClusterOperationName, OperationName } from "@tijolo/protocol";
import type { ApiRequest } from "../support/requests/api-request.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { rawZip } from "../support/archives/raw-zip.ts";
import type { Party } from "./authorization-parties.ts";

export interface MatrixRequest {
  /** Returns the request as the caller's person would send it. */
  request?: (caller: Party) => Partial<ApiRequest>;
  /** Result for a caller whom nothing refuses; default: the table's answer. */
  reached?: [status: number, code?: string];
}

const zip = rawZip([{ name: "svc.json", content: JSON.stringify({ language: "node", command: "sim run" }) }]);
const upload: MatrixRequest = { request: () => ({ headers: multipartType, body: uploadBody(zip) }) };
const confirmation = ({ panel }: Party) => ({ password: panel.password });

/** Made up: central, called by its IP address here, has no passkeys and reads no further. */
const madeCredential = {
  id: "AQID",
  rawId: "AQID",
  type: "public-key",
  response: { clientDataJSON: "AQID", attestationObject: "AQID" },
};
const usedCredential = {
  ...madeCredential,
  response: { clientDataJSON: "AQID", authenticatorData: "AQID", signature: "AQID" },
};

function json(body: (caller: Party) => object): NonNullable<MatrixRequest["request"]> {
  return (caller) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body(caller)),
  });
}

/** Operators' operations have a matrix of their own: `cluster-authorization.test.ts`. */
export type MatrixName = Exclude<OperationName, ClusterOperationName>;

export const matrixRequests: Record<MatrixName, MatrixRequest> = {
  listProjects: {},
  getProject: {},
  createProject: upload,
  uploadCode: upload,
  updateProject: { request: json(() => ({ description: "changed" })) },
  deleteProject: {},
  startProject: {},
  stopProject: {},
  restartProject: {},
  streamEvents: { request: () => ({ headers: { accept: "application/json" } }) },
  streamLogs: { request: () => ({ headers: { accept: "application/json" } }) },
  downloadLogs: {},
  getMetrics: {},
  getAnalytics: {},
  getAccountMetrics: {},
  listVersions: {},
  downloadVersion: {},
  rollbackProject: {},
  listReplacedFiles: {},
  restoreReplacedFiles: { request: json(() => ({})), reached: [404, "not_found"] },
  listVariables: {},
  setVariables: { request: json(() => ({ variables: { COLOUR: "value" } })) },
  changeVariables: { request: json(() => ({ variables: { COLOUR: null } })) },
  listDomains: {},
  addDomain: { request: json(() => ({ hostname: "www.loja.com.br" })), reached: [422, "invalid_domain"] },
  verifyDomain: { reached: [404, "not_found"] },
  setDomainCertificate: {
    request: json(() => ({ certificate: "", privateKey: "" })),
    reached: [404, "not_found"],
  },
  removeDomainCertificate: { reached: [404, "not_found"] },
  removeDomain: { reached: [404, "not_found"] },
  getSiteSettings: {},
  listSitePages: {},
  getSitePage: { reached: [404, "not_found"] },
  setSitePage: { request: json(() => ({ html: "<p>Voltamos já." })) },
  removeSitePage: { reached: [404, "not_found"] },
  setSiteSettings: { request: json(() => ({ maintenance: false })) },
  getAccount: {},
  listActivity: {},
  listProjectEvents: {},
  listNotices: {},
  readNotice: {},
  readAllNotices: {},
  getNoticeChannels: {},
  setNoticeChannels: {
    request: json(() => ({ email: { kinds: [] }, discord: null, webhook: null })),
  },
  testNoticeChannels: {},
  listKeys: {},
  createKey: { request: json((caller) => ({ name: "made", level: "read", ...confirmation(caller) })) },
  revokeKey: {},
  signUp: {
    request: json(() => ({ name: "Eva", email: "eva@example.com", password: "uma senha bem comprida" })),
    reached: [403, "sign_up_closed"],
  },
  createFirstPerson: {
    request: json(() => ({
      token: "x".repeat(43),
      email: "eva@example.com",
      password: "uma senha bem comprida",
    })),
    reached: [403, "invalid_start_link"],
  },
  confirmSignUp: {
    request: json(() => ({ token: "x".repeat(43) })),
    reached: [403, "sign_up_closed"],
  },
  signIn: { request: json(({ panel: { email, password } }) => ({ email, password })) },
  signInTwoFactor: { request: json(() => ({ code: "000000" })), reached: [401, "not_authenticated"] },
  getSession: {},
  confirmSession: { request: json(confirmation) },
  signOut: {},
  listSessions: {},
  endSession: {},
  requestPasswordReset: { request: json(({ panel: { email } }) => ({ email })) },
  resetPassword: {
    request: json(() => ({ token: "x".repeat(43), password: "outra senha bem comprida" })),
    reached: [403, "invalid_link"],
  },
  changePassword: {
    request: json(({ panel }) => ({ currentPassword: panel.password, newPassword: panel.password })),
  },
  beginTwoFactor: { request: json(confirmation) },
  confirmTwoFactor: { request: json(() => ({ code: "000000" })), reached: [401, "invalid_code"] },
  endTwoFactor: { request: json(confirmation) },
  renewRecoveryCodes: { request: json(confirmation), reached: [404, "not_found"] },
  beginPasskeySignIn: { reached: [409, "passkeys_unavailable"] },
  signInPasskey: {
    request: json(() => ({ credential: usedCredential })),
    reached: [409, "passkeys_unavailable"],
  },
  beginPasskeyConfirmation: { reached: [409, "passkeys_unavailable"] },
  confirmSessionByPasskey: {
    request: json(() => ({ credential: usedCredential })),
    reached: [409, "passkeys_unavailable"],
  },
  listPasskeys: {},
  beginPasskey: { request: json(confirmation), reached: [409, "passkeys_unavailable"] },
  addPasskey: {
    request: json(() => ({ name: "Phone", credential: madeCredential })),
    reached: [409, "passkeys_unavailable"],
  },
  renamePasskey: { request: json(() => ({ name: "Phone" })) },
  removePasskey: { request: json(confirmation) },
  notMe: {},
  notMeByLink: { request: json(() => ({ token: "x".repeat(43) })), reached: [403, "invalid_link"] },
  getHealth: {},
  getService: {},
  getOpenApi: {},
  getDocs: {},
  getSvcSchema: {},
};
