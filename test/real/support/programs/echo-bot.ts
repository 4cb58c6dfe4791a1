/**
 * The echo bot of Microsoft's Bot Framework, as its generator makes it: it answers what a channel sends to
 * it.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { npmPackage } from "./fetched-packages.ts";
import type { DeployedProgram, OpenSourceProgram } from "./open-source-program.ts";

const version = "4.22.1";

/** Answers to the generator's questions, put in the place of each name in its templates. */
const answers: Record<string, string> = {
  botname: "eco",
  botDescription: "repete",
  version,
  npmMain: "index.js",
};

export const echoBot: OpenSourceProgram = {
  name: "botbuilder echo",
  kind: "bot sample (npm)",
  took: "as generated, with npm start; Node 22: its restify does not run on later ones",
  version: async () => version,
  subdomain: "eco",
  async upload() {
    const template = join(await npmPackage("generator-botbuilder", version), "generators/app/templates/echo");
    const file = async (name: string) => fill(await readFile(join(template, name), "utf8"));
    return {
      files: {
        "package.json": await file("package.json.js"),
        "index.js": await file("index.js"),
        "bot.js": await file("bot.js"),
        ".env": await file("_env"),
      },
      config: {
        language: "node",
        version: "22",
        type: "site",
        subdomain: "eco",
        memoryMb: 512,
        port: 3978,
        command: "npm start",
      },
    };
  },
  ready: { path: "/api/messages", status: 405 },
  use: answersTo("olá, tudo bem?"),
  check: answersTo("ainda aí?"),
};

function fill(template: string): string {
  return template.replaceAll(/<%= (\w+) %>/g, (_, name: string) => answers[name] ?? "");
}

/** The channel asks for the replies in the answer; others get them at an address of theirs. */
function answersTo(text: string): (deployed: DeployedProgram) => Promise<void> {
  return async ({ ask }) => {
    const message = {
      type: "message",
      id: "1",
      channelId: "test",
      deliveryMode: "expectReplies",
      serviceUrl: "http://127.0.0.1:9/",
      from: { id: "ana" },
      recipient: { id: "bot" },
      conversation: { id: "conversa" },
      text,
    };
    const answer = await ask("/api/messages", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { activities } = (await answer.json()) as { activities: { text: string }[] };
    assert.deepEqual(
      activities.map(({ text: reply }) => reply),
      [`Echo: ${text}`],
    );
  };
}
