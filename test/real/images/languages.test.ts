/**
 * Every image that is made of Debian's archive and the npm registry is built, and does what its language's
 * users need.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { languages, languageVersions, type Language } from "@tijolo/protocol";
import type { ImageStore } from "../../../agent/src/images/image-store.ts";
import { isMadeHere, openKeptImages } from "../support/images/kept-images.ts";
import { runScriptInImage } from "../support/images/run-in-image.ts";

type Check = (run: (script: string) => Promise<string>, version: string) => Promise<void>;

const extensions = [
  "bcmath",
  "curl",
  "gd",
  "intl",
  "mbstring",
  "mysqli",
  "pdo_mysql",
  "pdo_pgsql",
  "pdo_sqlite",
  "sqlite3",
  "xml",
  "zip",
];
/** Program without packages that would have to be compiled first. */
const goProgram = `package main
import "runtime"
func main() { println(runtime.Version()) }`;

/**
 * Checks that the parts of each language are there and work together. Null: its images come from registries
 * (`images-oci`).
 */
const checks: Record<Exclude<Language, "static">, Check | null> = {
  async node(run, version) {
    const versions = await run("node -v; npm -v; npx -v; pnpm -v; yarn -v; yarn-berry -v; bun -v");
    assert.match(
      versions,
      new RegExp(
        `^v${version}\\.\\S+\\n1[01]\\.\\S+\\n1[01]\\.\\S+\\n10\\.\\S+\\n1\\.22\\.\\S+\\n4\\.\\S+\\n1\\.\\S+\\n$`,
      ),
    );
    assert.equal(
      await run(`cd /tmp; echo 'const word: string = "typed"; console.log(word)' > a.ts; tsx a.ts`),
      "typed\n",
    );
  },
  async python(run, version) {
    assert.match(
      await run('python -c "import ssl, sqlite3, sys; print(sys.version)"'),
      new RegExp(`^${version.replace(".", "\\.")}\\.`),
    );
    assert.match(await run("pip --version"), new RegExp(`python ${version}`));
    const header = `import sysconfig; print("Py_PYTHON_H" in open(sysconfig.get_path("include") + "/Python.h").read())`;
    assert.equal(await run(`python -m venv /tmp/venv; /tmp/venv/bin/python -c '${header}'`), "True\n");
    if (version !== "3.11") assert.match(await run("poetry --version"), /^Poetry/);
  },
  async java(run, version) {
    assert.match(await run("java --version"), new RegExp(`^openjdk ${version}\\.`));
    assert.ok(
      (await run("keytool -list -cacerts -storepass changeit")).split("trustedCertEntry").length > 100,
      "certificate authorities",
    );
  },
  async go(run, version) {
    const script = `mkdir /tmp/app; cd /tmp/app; go mod init app; cat > main.go; go build -o app .; ./app 2>&1`;
    assert.match(
      await run(`printf '%s' '${goProgram}' | { ${script}; }; git --version`),
      new RegExp(`^go${version.replace(".", "\\.")}[.\\n]`),
    );
  },
  async php(run, version) {
    assert.match(
      await run("php --version"),
      new RegExp(`^PHP ${version.replace(".", "\\.")}\\..*OPcache`, "s"),
    );
    const loaded = (await run("php -m")).split("\n");
    assert.deepEqual(
      extensions.filter((name) => !loaded.includes(name)),
      [],
    );
    assert.match(
      await run("composer --version --no-interaction; git --version; command -v unzip"),
      /^Composer.*git.*unzip/s,
    );
    assert.equal(await run("ls /usr/bin | grep -x 'php8[.][0-9]'"), `php${version}\n`);
  },
  async ruby(run, version) {
    assert.match(await run("ruby --version"), new RegExp(`^ruby ${version.replace(".", "\\.")}\\.`));
    assert.match(
      await run("bundle --version; gem --version; rake --version"),
      /\d+\.\d+.*\n\d+\.\d+.*\nrake/,
    );
    await run(
      `mkdir /tmp/native; cd /tmp/native; echo 'require "mkmf"; create_makefile "native"' > extconf.rb
       echo '#include <ruby.h>
       void Init_native(void) { rb_define_global_const("NATIVE", INT2FIX(7)); }' > native.c
       ruby extconf.rb; make; ruby -I. -e 'require "native"; exit(NATIVE == 7)'`,
    );
  },
  dotnet: null,
  async elixir(run, version) {
    assert.match(await run("elixir --version"), new RegExp(`Elixir ${version.replace(".", "\\.")}\\.`));
    const app = `cd /tmp; mix new app; cd app; MIX_ENV=prod mix compile; MIX_ENV=prod mix run -e 'IO.puts(App.hello())'`;
    assert.match(await run(app), /world\n$/);
    assert.match(await run("git --version; erl -noshell -eval 'ok = ssl:start(), halt(0).'"), /^git/);
  },
};

describe("images of the languages", { concurrency: 3, timeout: 3_600_000 }, () => {
  let directory: string;
  let store: ImageStore;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-languages-"));
    store = await openKeptImages();
  });
  after(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  for (const language of languages) {
    const check = language === "static" ? null : checks[language];
    for (const version of languageVersions[language]) {
      if (check !== null && isMadeHere(language, version)) {
        test(`${language} ${version}`, async (context) => {
          const layers = await ensured(store, { language, version, context });
          await check((script) => runScriptInImage(directory, layers, script), version);
        });
      }
    }
  }
});

async function ensured(
  store: ImageStore,
  { language, version, context }: { language: Language; version: string; context: TestContext },
): Promise<string[]> {
  const startedAtMs = performance.now();
  const { layers } = await store.ensure({ language, version, systemPackages: [] });
  context.diagnostic(
    `${language} ${version}: ready after ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
  );
  return layers;
}
