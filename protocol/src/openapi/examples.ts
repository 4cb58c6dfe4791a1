/** Examples of the API description: each is checked against its schema by the tests. */

import type { OperationName } from "../contract/operations.ts";
import type { Project } from "../nouns/project.ts";

const project: Project = {
  id: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
  name: "loja",
  description: "",
  type: "site",
  language: "node",
  version: "24",
  entry: "server.js",
  command: "node server.js",
  installCommand: null,
  root: null,
  systemPackages: [],
  memoryMb: 512,
  port: 8080,
  subdomain: "loja",
  url: "https://loja.tijolo.dev/",
  internalHost: "svc-x6z0b1cd",
  status: "running",
  error: null,
  hasAutoRestart: true,
  consecutiveCrashes: 0,
  lastExit: null,
  usage: { memoryMb: 143, cpuPercent: 2.5, networkInBps: 812, networkOutBps: 4096 },
  startedAt: "2026-01-01T12:00:04.117Z",
  templateId: null,
  restoredFromBackupId: null,
  createdAt: "2026-01-01T12:00:00.000Z",
  updatedAt: "2026-01-01T12:00:04.117Z",
};

export const componentExamples: Readonly<Record<string, unknown[]>> = {
  Project: [project],
  LogLine: [{ at: "2026-01-01T12:00:04.123Z", section: "app", stream: "stdout", version: 3, text: "Ready" }],
};

/** Request bodies. */
export const bodyExamples: { readonly [Name in OperationName]?: unknown } = {
  updateProject: { memoryMb: 512, command: "npm start" },
  setVariables: { variables: { TOKEN: "segredo", DEBUG: "1" } },
  changeVariables: { variables: { DEBUG: null, LANG: "pt_BR.UTF-8" } },
  createKey: { name: "deploy", level: "write", scopes: ["projects:settings"], password: "minha senha longa" },
  signUp: { name: "Ana", email: "ana@tijolo.dev", password: "minha senha longa" },
  signIn: { email: "ana@tijolo.dev", password: "minha senha longa" },
  signInTwoFactor: { code: "123456" },
  requestPasswordReset: { email: "ana@tijolo.dev" },
  resetPassword: { token: "o que veio no link", password: "outra senha longa" },
  notMeByLink: { token: "o que veio no link" },
  changePassword: { currentPassword: "minha senha longa", newPassword: "outra senha longa" },
  beginTwoFactor: { password: "minha senha longa" },
  confirmTwoFactor: { code: "123456" },
  endTwoFactor: { password: "minha senha longa" },
  renewRecoveryCodes: { password: "minha senha longa" },
};
