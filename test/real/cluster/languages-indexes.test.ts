/**
 * Packages are found and fetched over HTTP by the real tool of each language: from an index beyond this
 * machine, through the network that projects have. The public indexes are not reached by the tests; npm's is,
 * in `languages-installs`.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Language, Variables } from "@tijolo/protocol";
import { createImageStore } from "../../../agent/src/images/image-store.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { writeComposerRepository } from "../support/indexes/composer-repository.ts";
import { writeGemIndex } from "../support/indexes/gem-index.ts";
import { goModule, writeGoProxy } from "../support/indexes/go-proxy.ts";
import { writePythonIndex } from "../support/indexes/python-index.ts";
import { ServedFolder } from "../support/indexes/served-folder.ts";
import { keptImagesDirectory, testIndexAgeDays } from "../support/images/kept-images.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { patient } from "../support/projects/stop-cleanly.ts";

let cluster: RealCluster;
let account: TestAccount;
let folder: ServedFolder;
before(async () => {
  folder = await ServedFolder.create();
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
});
after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

interface Deployed extends Upload {
  /** Set before the packages are asked for: on a first version of the project, which is this file alone. */
  after?: { variables: Variables; file: Record<string, string> };
}

/** Deploys a bot until it has printed the words, stops it, and answers with its install log. */
async function prints(words: string, { after: earlier, ...upload }: Deployed): Promise<string> {
  const first = earlier === undefined ? upload : { ...upload, files: earlier.file };
  const project = await DeployedProject.create(account.client, first);
  if (earlier !== undefined) {
    await project.is("running", patient);
    await account.client.setVariables({ id: project.id, body: { variables: earlier.variables } });
    await project.upload(upload);
  }
  await project.prints(words, patient);
  await account.client.stopProject({ id: project.id });
  await project.is("stopped", patient);
  return (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
}

async function assertAsked(...patterns: RegExp[]): Promise<void> {
  const asked = await folder.asked();
  for (const pattern of patterns)
    assert.ok(
      asked.some((path) => pattern.test(path)),
      `${pattern} is not in ${asked.join("\n")}`,
    );
}

/** Returns the layers; made beforehand where they are not kept: see `languages-matrix`. */
async function layersOf(language: Language, version: string): Promise<readonly string[]> {
  const logger = { info() {}, warn() {} };
  const store = await createImageStore({
    imagesDirectory: keptImagesDirectory,
    logger,
    debianIndexAgeDays: testIndexAgeDays,
  });
  try {
    return (await store.ensure({ language, version, systemPackages: [] })).layers;
  } finally {
    await store.close();
  }
}

describe("packages over HTTP", { concurrency: 2, timeout: 1_200_000 }, () => {
  describe("Python", () => {
    const version = "3.13";
    const soup = `from bs4 import BeautifulSoup\nimport time\nprint(BeautifulSoup("<p class=a>sopa de letras</p>", "html.parser").select_one("p.a").text)\nwhile True: time.sleep(1)\n`;
    const config = { language: "python", version, entry: "main.py" };
    let index: string;
    before(async () => {
      await layersOf("python", version);
      index = await writePythonIndex(folder);
    });
    test("pip finds a package and what it needs in the index that requirements.txt names", async () => {
      const requirements = `--index-url ${index}\n--trusted-host ${folder.host}\nbeautifulsoup4>=4.12\n`;
      const log = await prints("sopa de letras", {
        files: { "requirements.txt": requirements, "main.py": soup },
        config,
      });
      assert.match(log, /Successfully installed beautifulsoup4-\S+ soupsieve-\S+ typing-extensions-\S+/);
      await assertAsked(
        /simple\/beautifulsoup4\/$/,
        /files\/beautifulsoup4-.*\.whl$/,
        /files\/soupsieve-.*\.whl$/,
      );
    });

    test("pip builds the project with the tool that its pyproject.toml asks for", async () => {
      const pyproject = `[build-system]\nrequires = ["setuptools>=77"]\nbuild-backend = "setuptools.build_meta"\n
[project]\nname = "bot"\nversion = "1.0"\ndependencies = ["beautifulsoup4>=4.12"]\n\n[tool.setuptools]\npy-modules = []\n`;
      const earlier = {
        variables: { PIP_INDEX_URL: index, PIP_TRUSTED_HOST: folder.host },
        file: { "main.py": "import time\ntime.sleep(100000)\n" },
      };
      const log = await prints("sopa de letras", {
        files: { "pyproject.toml": pyproject, "main.py": soup },
        config,
        after: earlier,
      });
      assert.match(log, /Successfully built bot/);
      await assertAsked(/files\/setuptools-.*\.whl$/);
    });

    test("Poetry finds the packages in the source that the project names", async () => {
      const pyproject = `[tool.poetry]\npackage-mode = false\n\n[tool.poetry.dependencies]\npython = "^3.11"\nbeautifulsoup4 = "^4.12"\n
[[tool.poetry.source]]\nname = "casa"\nurl = "${index}"\npriority = "primary"\n`;
      const log = await prints("sopa de letras", {
        files: { "pyproject.toml": pyproject, "main.py": soup },
        config,
      });
      assert.match(log, /Installing beautifulsoup4/);
    });
  });

  test("Go finds the module that a file of no module imports", async () => {
    await layersOf("go", "1.26");
    const GOPROXY = await writeGoProxy(folder);
    const source = `package main\n\nimport (\n\t"fmt"\n\t"time"\n\n\t"${goModule}"\n)\n
func main() {\n\tfmt.Println("uuid", uuid.NewSHA1(uuid.NameSpaceDNS, []byte("tijolo")).Version())\n\tfor {\n\t\ttime.Sleep(time.Hour)\n\t}\n}\n`;
    await prints("uuid VERSION_5", {
      files: { "main.go": source },
      config: { language: "go", version: "1.26", entry: "main.go" },
      after: {
        variables: { GOPROXY, GOSUMDB: "off" },
        file: { "main.go": 'package main\n\nimport "time"\n\nfunc main() {\n\ttime.Sleep(time.Hour)\n}\n' },
      },
    });
    await assertAsked(/\/@v\/list$/, /v1\.6\.0\.zip$/);
  });

  test("Bundler finds a gem and what it needs on the server that the Gemfile names", async () => {
    const server = await writeGemIndex(folder, await layersOf("ruby", "3.4"));
    const source = `require "tzinfo"\n$stdout.sync = true\nputs "offset #{TZInfo::Timezone.get("America/Sao_Paulo").utc_offset}"\nsleep\n`;
    const log = await prints("offset -10800", {
      files: { Gemfile: `source "${server}"\ngem "tzinfo", "~> 2.0"\n`, "bot.rb": source },
      config: { language: "ruby", version: "3.4", entry: "bot.rb" },
    });
    assert.match(log, /Installing tzinfo 2\.\S+/);
    await assertAsked(
      /ruby\/versions$/,
      /ruby\/info\/tzinfo$/,
      /tzinfo-.*\.gem$/,
      /concurrent-ruby-.*\.gem$/,
    );
  });

  test("Composer finds a library in the repository that composer.json names", async () => {
    await layersOf("php", "8.4");
    const url = await writeComposerRepository(folder);
    const composer = {
      repositories: [{ type: "composer", url }, { "packagist.org": false }],
      require: { "erusev/parsedown": "^1.7" },
      config: { "secure-http": false },
    };
    const source =
      "<?php require 'vendor/autoload.php'; echo (new Parsedown())->text('**tijolo**'), PHP_EOL; while (true) sleep(1);";
    await prints("<p><strong>tijolo</strong></p>", {
      files: { "composer.json": JSON.stringify(composer), "bot.php": source },
      config: { language: "php", version: "8.4", entry: "bot.php" },
    });
    await assertAsked(/php\/packages\.json$/, /php\/1\.7\.4\.zip$/);
  });
});
