/**
 * Makes what the first start needs: an account with a key, and the bundled examples. Each step finds what an
 * interrupted start has made.
 */

import { ApiError, createClient, firstPlan, type Client } from "@tijolo/protocol";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { selectFiles } from "../archive/select-files.ts";
import type { CommandContext } from "../command-context.ts";
import { commandScopes } from "../client/command-scopes.ts";
import { followDeploy } from "../deploy/follow-deploy.ts";
import { uploadFolder } from "../deploy/upload-folder.ts";
import { writePrivateFile } from "../private-file.ts";
import { keepProjectId } from "../project/project-folder.ts";
import { apiUrlOf } from "../client/server-url.ts";

export const exampleNames = ["bot-node", "site-node"] as const;

const keyPattern = /^[A-Za-z0-9_-]{8,200}$/;
const uploadPauseMs = 3_000;

export interface FirstStart {
  serverUrl: string;
  operatorToken: string;
  examplesDirectory: string;
  /** Path where the account's key is kept until it has been shown. */
  keyFile: string;
}

export interface FirstAccount {
  key: string;
  client: Client;
}

export function operatorOf(context: CommandContext, first: FirstStart): Client {
  return clientOf(context, first, first.operatorToken);
}

/** Makes the account, or continues with the key that an interrupted start made, as keys are limited. */
export async function makeFirstAccount(context: CommandContext, first: FirstStart): Promise<FirstAccount> {
  const operator = operatorOf(context, first);
  const { accounts } = await operator.listAccounts({ query: { limit: 1 } });
  const name = context.messages.start.accountName;
  const account = accounts[0] ?? (await operator.createAccount({ body: { name, plan: firstPlan } })).account;
  const kept = await findKeptAccount(context, first);
  if (kept !== undefined) return kept;
  const { secret: key } = await operator.createAccountKey({
    accountId: account.id,
    body: { name: "npm start", level: "write", scopes: [...commandScopes] },
  });
  await writePrivateFile(first.keyFile, `${key}\n`, { mayReplace: true });
  return { key, client: clientOf(context, first, key) };
}

/**
 * Returns the account of the stored key; undefined where there is none, or none that works: a power cut may
 * have torn the file.
 */
async function findKeptAccount(
  context: CommandContext,
  first: FirstStart,
): Promise<FirstAccount | undefined> {
  const key = (await readFile(first.keyFile, "utf8").catch(() => "")).trim();
  if (!keyPattern.test(key)) return undefined;
  const client = clientOf(context, first, key);
  try {
    await client.listProjects({}, { signal: context.signal });
    return { key, client };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

function clientOf(context: CommandContext, { serverUrl }: FirstStart, key: string): Client {
  return createClient({ baseUrl: apiUrlOf(serverUrl), token: key, fetch: context.fetch });
}

/** Uploads and starts the examples, one by one; a failed one is reported and does not end the start. */
export async function deployExamples(
  context: CommandContext,
  first: FirstStart,
  client: Client,
): Promise<void> {
  const { output, messages, signal } = context;
  const { projects } = await client.listProjects({}, { signal });
  let lastUploadAt = Number.NEGATIVE_INFINITY;
  for (const name of exampleNames) {
    if (projects.some((project) => project.name === name)) continue;
    const folder = join(first.examplesDirectory, name);
    const waitMs = lastUploadAt + uploadPauseMs - context.clock.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
    output.note(output.noteStyle("bold", messages.start.deploying(name)));
    lastUploadAt = context.clock.now();
    const { files } = await selectFiles(folder);
    const uploaded = await uploadFolder(context, {
      client,
      projectId: null,
      fields: {},
      wantsStart: true,
      files,
    });
    await keepProjectId(folder, first.serverUrl, uploaded.id);
    await followDeploy(context, { client, uploaded, loggedVersion: 0, wantsStart: true });
  }
}
