/**
 * Language × version: each example is installed, runs, answers, logs, is installed again (out of what was
 * kept, where it may be), and stops cleanly.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defaultVersions, languages, languageVersions, type Language, type Project } from "@tijolo/protocol";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { archiveOf, DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { exampleUpload } from "../support/uploads/example-upload.ts";
import { assertRoomForKeptInstalls } from "../support/disks/install-room.ts";
import { javaJar } from "../support/uploads/java-jar.ts";
import { ensureImage, isMadeHere } from "../support/images/kept-images.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { patient, secondsSince, stopCleanly } from "../support/projects/stop-cleanly.ts";
import { visit } from "../support/projects/visit.ts";

interface Example {
  name: string;
  /** Output once it runs, and when it is asked to end; null: none. */
  says: string;
  farewell: string | null;
  /** Returns what the page of a site contains. */
  page?: (version: string) => string;
  /** Versions to test: all, or the default one alone. */
  of: "all" | "default";
}

const examples: Record<Language, readonly Example[]> = {
  node: [
    {
      name: "site-node",
      of: "all",
      says: "Site no ar",
      farewell: "Fechando o site",
      page: (version) => `<dd>v${version}.`,
    },
    { name: "bot-node", of: "default", says: "Bot no ar", farewell: "Até logo" },
  ],
  python: [
    {
      name: "site-python",
      of: "all",
      says: "Site no ar",
      farewell: "Fechando o site",
      page: (version) => `Python ${version}.`,
    },
    { name: "bot-python", of: "default", says: "Bot no ar", farewell: "Até logo" },
  ],
  java: [
    {
      name: "site-java",
      of: "all",
      says: "Site no ar",
      farewell: "Fechando o site",
      page: (version) => `Java ${version}.`,
    },
  ],
  go: [
    {
      name: "site-go",
      of: "all",
      says: "Site no ar",
      farewell: "Fechando o site",
      page: (version) => `go${version}`,
    },
  ],
  php: [
    {
      name: "site-php",
      of: "all",
      says: "php-server: listening",
      farewell: null,
      page: (version) => `PHP ${version}.`,
    },
  ],
  ruby: [
    {
      name: "site-ruby",
      of: "all",
      says: "Site no ar",
      farewell: "Fechando o site",
      page: (version) => `Ruby ${version}.`,
    },
  ],
  dotnet: [
    {
      name: "site-dotnet",
      of: "all",
      says: "Now listening on",
      farewell: "shutting down",
      page: (version) => `.NET ${version}.`,
    },
  ],
  elixir: [{ name: "bot-elixir", of: "all", says: "Bot no ar: Elixir", farewell: "Até logo" }],
  static: [
    { name: "site-static", of: "all", says: "", farewell: null, page: () => "<h1>Um site estático</h1>" },
  ],
};

/** Languages whose example has a file that decides all of its install. */
const decidedByOneFile: readonly Language[] = ["python"];

let cluster: RealCluster;
let account: TestAccount;
const table: Record<string, string>[] = [];

describe("every language and version", { concurrency: 2, timeout: 3_600_000 }, () => {
  before(async () => {
    cluster = await RealCluster.create();
    account = await cluster.createAccount();
  });
  after(() => {
    console.table(table);
    return cluster[Symbol.asyncDispose]();
  });

  for (const language of languages) {
    for (const version of languageVersions[language]) {
      const shown = examples[language].filter(
        ({ of }) => of === "all" || version === defaultVersions[language],
      );
      for (const example of shown) {
        const title = `${language} ${version}: ${example.name}`.replace("  ", " ");
        if (language === "static" || isMadeHere(language, version))
          test(title, () => show(language, version, example));
        else test(title, { skip: "image only from a registry, which the tests do not reach" }, () => {});
      }
    }
  }
});

async function show(language: Language, version: string, example: Example): Promise<void> {
  if (decidedByOneFile.includes(language)) await assertRoomForKeptInstalls(cluster.directory);
  const imageBegun = performance.now();
  await ensureImage(language, version);
  const imageSeconds = secondsSince(imageBegun);
  const subdomain =
    example.page === undefined ? undefined : `${example.name}-${version.replace(".", "-")}`.replace(/-$/, "");
  const upload = await uploadOf(example, { version, ...(subdomain === undefined ? {} : { subdomain }) });
  const archive = await archiveOf(upload);

  const begun = performance.now();
  const { project: created } = await account.client.createProject({
    fields: { start: "true" },
    file: archive,
  });
  const project = new DeployedProject(account.client, created.id);
  await isUp(project, language, { version, example, subdomain, runs: 1 });
  const cold = secondsSince(begun);
  const first = await project.get();

  const begunAgain = performance.now();
  await account.client.uploadCode({ id: project.id, fields: {}, file: archive });
  const isNewRun = ({ status, startedAt }: Project) => status === "running" && startedAt !== first.startedAt;
  await project.when(isNewRun, { timeoutMs: patient, failOn: ["error", "crash_loop"] });
  await isUp(project, language, { version, example, subdomain, runs: 2 });
  const warm = secondsSince(begunAgain);
  const install = (await project.lines({ section: "install" })).map(({ text }) => text);
  const commands = install.filter((text) => text.startsWith("$ "));
  const again = install.slice(install.findIndex((text) => isEnd(text)) + 1);
  const keptSteps = decidedByOneFile.includes(language) ? commands.length / 2 : 0;
  assert.equal(
    again.filter(isKept).length,
    keptSteps,
    `steps of the second install that were kept:\n${install.join("\n")}`,
  );

  const {
    seconds: stop,
    exitCode,
    log,
  } = await stopCleanly(cluster.host, project, language === "static" ? 0 : 2);
  const { farewell } = example;
  if (farewell !== null)
    assert.equal(log.filter((text) => text.includes(farewell)).length, 2, log.join("\n"));
  await cluster.operator.client().deleteProject({ id: project.id });
  table.push({
    language,
    version,
    example: example.name,
    image: imageSeconds,
    install: commands[0]?.slice(2, 50) ?? "-",
    // Projects of an account share what is kept.
    cold: install.filter(isKept).length > commands.length / 2 ? `${cold} (kept)` : cold,
    warm,
    stop,
    exit: exitCode ?? "-",
  });
}

function isEnd(text: string): boolean {
  return text.startsWith("Instalação concluída") || text === "Nada a instalar.";
}

function isKept(text: string): boolean {
  return /instalação guardada foi usada/.test(text);
}

interface Shown {
  version: string;
  example: Example;
  subdomain: string | undefined;
  /** Number of starts. */
  runs: number;
}

async function isUp(
  project: DeployedProject,
  language: Language,
  { version, example, subdomain, runs }: Shown,
): Promise<void> {
  await project.is("running", patient);
  const said = async () =>
    (await project.output()).filter((line) => line.includes(example.says)).length >= runs;
  if (language !== "static") await until(said, { timeoutMs: patient, everyMs: 50 });
  if (subdomain === undefined) return;
  const { text } = await until(
    async () => {
      const answer = await visit(cluster.gatewayPort, subdomain);
      return answer.status === 200 ? answer : undefined;
    },
    { timeoutMs: patient, everyMs: 50 },
  );
  const page = example.page?.(version) ?? "";
  assert.ok(text.includes(page), `${page} is not in ${text}`);
}

async function uploadOf({ name }: Example, config: Record<string, unknown>): Promise<Upload> {
  if (name !== "site-java") return exampleUpload(name, config);
  const { files = {} } = exampleUpload(name);
  jar ??= javaJar(files["Main.java"] ?? "");
  return exampleUpload(name, config, { "site.jar": await jar });
}
let jar: Promise<Uint8Array> | undefined;
