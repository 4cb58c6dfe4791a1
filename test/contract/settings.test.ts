/** docs/settings.md names every setting of every program, and no other. */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { takenFromEnvironment } from "../../cli/src/install/central/central-settings.ts";
import { gatewaySettingNames } from "../../cli/src/install/gateway/gateway-settings.ts";
import { agentSettingNames } from "../../cli/src/install/host/agent-settings.ts";
import { parseStartConfig } from "../../cli/src/start/start-config.ts";

const root = join(import.meta.dirname, "..", "..");
/** Set by npm start itself, for the programs that it starts, or not needed by them: central is on this machine. */
const setByStart = [
  "TIJOLO_BOOTSTRAP_FILE",
  "TIJOLO_CENTRAL_AUTHORITY_FILE",
  "TIJOLO_CENTRAL_URL",
  "TIJOLO_GATEWAY_TOKEN_FILE",
  "TIJOLO_HTTP_LISTEN",
  "TIJOLO_JOIN_TOKEN_FILE",
  "TIJOLO_PLAIN_SITE_URL_PATTERN",
  "TIJOLO_STOPS_HAPROXY",
];

test("every setting of central is documented, and no other", async () => {
  const files = ["central/src/config.ts", "central/src/acme-settings.ts"];
  await assertDocumented("Central", (await Promise.all(files.map(settingsOf))).flat());
});

test("every setting of the gateway is documented, and no other", async () => {
  await assertDocumented("Gateway", await settingsOf("central/gateway/src/config.ts"));
});

test("every setting of the agent is documented, and no other", async () => {
  await assertDocumented("Agent", await settingsOf("agent/src/config.ts"));
});

test("every variable of the command is documented, and no other", async () => {
  const files = globSync("cli/src/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !/^cli\/src\/(?:start|install)\//.test(file),
  );
  // A variable that is read stands in quotes; texts for people name other ones, too.
  const read = /"(TIJOLO_[A-Z_]+)"/g;
  const names = await Promise.all(
    files.map(async (file) => Array.from((await text(file)).matchAll(read), ([, name = ""]) => name)),
  );
  await assertDocumented("The command `tijolo`", names.flat());
});

test("npm start accepts every documented setting and hands each to the program that has it", async () => {
  const central = await documented("Central");
  const agent = await documented("Agent");
  const gateway = await documented("Gateway");
  for (const name of new Set([...central, ...agent, ...gateway])) {
    if (setByStart.includes(name)) continue;
    const value = name === "TIJOLO_RUNTIME" ? "process" : "/value";
    const { centralEnvironment, agentEnvironment, gatewayEnvironment } = parseStartConfig({ [name]: value });
    assert.equal(name in centralEnvironment, central.includes(name), `central and ${name}`);
    assert.equal(name in agentEnvironment, agent.includes(name), `the agent and ${name}`);
    assert.equal(name in gatewayEnvironment, gateway.includes(name), `the gateway and ${name}`);
  }
  for (const name of [...(await documented("npm start")), ...(await documented("The command `tijolo`"))])
    parseStartConfig({ [name]: name === "TIJOLO_RUNTIME" ? "process" : "/value" });
});

test("the installer takes every documented setting of a program but those that it makes itself", async () => {
  const ofUnits = ["TIJOLO_DATA_DIRECTORY", "TIJOLO_CENTRAL_URL", "TIJOLO_CENTRAL_AUTHORITY_FILE"];
  const taken: [heading: string, names: readonly string[], made: string[]][] = [
    [
      "Central",
      takenFromEnvironment,
      [
        "TIJOLO_INSTALL_FILES_DIRECTORY",
        "TIJOLO_GATEWAY_TOKEN_FILE",
        "TIJOLO_BOOTSTRAP_FILE",
        "TIJOLO_MASTER_KEYS",
        "TIJOLO_MASTER_KEY_FILE",
      ],
    ],
    [
      "Gateway",
      gatewaySettingNames,
      ["TIJOLO_JOIN_TOKEN_FILE", "TIJOLO_STOPS_HAPROXY", "TIJOLO_TOOLS_DIRECTORY"],
    ],
    ["Agent", agentSettingNames, ["TIJOLO_JOIN_TOKEN_FILE"]],
  ];
  for (const [heading, names, made] of taken) {
    const left = (await documented(heading)).filter((name) => ![...ofUnits, ...made].includes(name));
    assert.deepEqual(names.map((name) => `TIJOLO_${name}`).toSorted(), left.toSorted(), heading);
  }
});

async function assertDocumented(heading: string, names: readonly string[]): Promise<void> {
  assert.ok(names.length > 5, names.join());
  assert.deepEqual((await documented(heading)).toSorted(), [...new Set(names)].toSorted());
}

/** Returns the variables in the table below a heading. */
async function documented(heading: string): Promise<string[]> {
  const section = (await text("docs/settings.md"))
    .split("\n## ")
    .find((part) => part.startsWith(`${heading}\n`));
  return Array.from((section ?? "").matchAll(/^\| `(TIJOLO_[A-Z0-9_]+)` \|/gm), ([, name = ""]) => name);
}

async function settingsOf(file: string): Promise<string[]> {
  return Array.from(
    (await text(file)).matchAll(/\btake\("([A-Z0-9_]+)"/g),
    ([, name = ""]) => `TIJOLO_${name}`,
  );
}

function text(file: string): Promise<string> {
  return readFile(join(root, file), "utf8");
}
