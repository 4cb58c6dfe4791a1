import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sampleAssignment } from "../../../../test/support/samples.ts";
import { languageRules } from "../../languages/all-languages.ts";
import { installEnvironment, runEnvironment } from "./environment.ts";

const base = {
  image: {},
  trust: { NODE_EXTRA_CA_CERTS: "/etc/authorities.pem" },
  imageHas: () => false,
};
const site = { ...sampleAssignment().settings, type: "site" as const, port: 3000 };

test("a project's variables reach its install and its runs, over the defaults", () => {
  const assignment = sampleAssignment({
    variables: { TOKEN: "a\n'b'", TZ: "America/Sao_Paulo", NODE_OPTIONS: "--trace-warnings" },
  });
  assert.equal(runEnvironment(sampleAssignment(), base)["TZ"], "UTC");
  for (const environment of [runEnvironment(assignment, base), installEnvironment(assignment, base)]) {
    assert.deepEqual(
      [environment["TOKEN"], environment["TZ"], environment["LANG"]],
      ["a\n'b'", "America/Sao_Paulo", "C.UTF-8"],
    );
    assert.deepEqual(
      [environment["NODE_OPTIONS"], environment["NODE_EXTRA_CA_CERTS"]],
      ["--trace-warnings", "/etc/authorities.pem"],
    );
  }
});

test("an install step is told its memory, unless the project's own variables say another", () => {
  const installed = (settings: Partial<typeof site>) =>
    installEnvironment(sampleAssignment({ settings: { ...site, memoryMb: 128, ...settings } }), base);
  assert.match(installed({ language: "node" })["NODE_OPTIONS"] ?? "", /^--max-old-space-size=768 /);
  assert.equal(
    installed({ language: "node" })["NODE_ENV"],
    undefined,
    "what is needed to build is installed too",
  );
  assert.equal(installed({ language: "go" })["GOMEMLIMIT"], "768MiB");
  const dotnet = installed({ language: "dotnet" });
  assert.equal(dotnet["DOTNET_GCHeapHardLimit"], "0x30000000");
  const targets = languageRules.dotnet.files.find(
    ({ target }) => target === dotnet["CustomBeforeMicrosoftCommonTargets"],
  );
  assert.match(readFileSync(targets?.source ?? "", "utf8"), /<AssemblyName>app</);
  assert.equal(installed({ language: "java" })["JAVA_TOOL_OPTIONS"], undefined);
});

test("native modules of Node are compiled with the headers of the image, where it has them", () => {
  const assignment = sampleAssignment();
  const headers = (imageHas: (path: string) => boolean) =>
    installEnvironment(assignment, { ...base, imageHas })["npm_package_config_node_gyp_nodedir"];
  assert.equal(
    headers((path) => path === "usr/local/include/node/node_version.h"),
    "/usr/local",
  );
  assert.equal(
    headers(() => false),
    undefined,
    "an operator's image may have none, and node-gyp fetches them",
  );
});

test("what the service says itself wins, whatever is stored", () => {
  const variables = { PORT: "1", HOST: "x", SVC_PROJECT_ID: "x", SVC_VERSION: "x" };
  const assignment = sampleAssignment({ settings: site, variables });
  const { PORT, HOST, SVC_PROJECT_ID, SVC_VERSION } = runEnvironment(assignment, base);
  assert.deepEqual([PORT, HOST, SVC_PROJECT_ID, SVC_VERSION], ["3000", "0.0.0.0", assignment.projectId, "1"]);
});

test("what an image sets lies beneath, and its PATH takes the place of Debian's", () => {
  const image = {
    PATH: "/opt/python/bin:/bin",
    GPG_KEY: "x",
    TZ: "Asia/Tokyo",
    NODE_EXTRA_CA_CERTS: "/image.pem",
  };
  const environment = runEnvironment(sampleAssignment({ variables: { GPG_KEY: "y" } }), { ...base, image });
  assert.deepEqual(
    [environment["GPG_KEY"], environment["TZ"], environment["NODE_EXTRA_CA_CERTS"]],
    ["y", "UTC", "/etc/authorities.pem"],
  );
  assert.equal(environment["PATH"], "/app/node_modules/.bin:/opt/python/bin:/bin");
});

test("servers of Python believe the agent what it says of a visitor, and nobody else", () => {
  const python = { ...site, language: "python" as const, version: "3.13" };
  assert.equal(
    runEnvironment(sampleAssignment({ settings: python }), base)["FORWARDED_ALLOW_IPS"],
    "169.254.1.1,127.0.0.1,::1",
  );
});

test("without known variables there is no environment at all", () => {
  assert.throws(() => runEnvironment(sampleAssignment({ variables: null }), base), /not known/);
  assert.throws(() => installEnvironment(sampleAssignment({ variables: null }), base), /not known/);
});
