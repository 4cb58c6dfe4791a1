/**
 * Tests modules that are compiled at the install: with what the image has, and what is said when they fail.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const patient = 600_000;
let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const source = `#include <node_api.h>

static napi_value Answer(napi_env env, napi_callback_info info) {
  napi_value value;
  napi_create_int32(env, 42, &value);
  return value;
}

static napi_value Init(napi_env env, napi_value exports) {
  napi_value function;
  napi_create_function(env, "answer", NAPI_AUTO_LENGTH, Answer, NULL, &function);
  napi_set_named_property(env, exports, "answer", function);
  return exports;
}

NAPI_MODULE(NODE_GYP_MODULE_NAME, Init)
`;

function addon(code: string): Upload {
  return {
    files: {
      "package.json": JSON.stringify({ name: "bot", scripts: { install: "node-gyp rebuild" } }),
      "binding.gyp": JSON.stringify({ targets: [{ target_name: "addon", sources: ["src/addon.c"] }] }),
      "src/addon.c": code,
      "index.js": `
        const fetched = require("node:fs").existsSync(process.env.HOME + "/.cache/node-gyp");
        console.log("the addon says " + require("./build/Release/addon.node").answer() + ", fetched: " + fetched);
        setInterval(() => {}, 1000);
      `,
    },
    config: {
      language: "node",
      version: "24",
      entry: "index.js",
      systemPackages: ["build-essential", "python3"],
    },
  };
}

test("a native module of Node is compiled with the headers of the image: nothing is fetched for it", async () => {
  const account = await cluster.createAccount();
  const project = await DeployedProject.create(account.client, addon(source));
  await project.is("running", patient);
  assert.equal(await project.prints("the addon says"), "the addon says 42, fetched: false");
  const log = (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
  assert.doesNotMatch(log, /npm warn|http GET/, log);
  await account.client.stopProject({ id: project.id });
});

test("a native module that does not compile is told by the compiler's first error", async () => {
  const account = await cluster.createAccount();
  const broken = source.replace("napi_create_int32", "napi_create_integer");
  const project = await DeployedProject.create(account.client, addon(broken));
  const { error } = await project.is("error", patient);
  const log = (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
  assert.equal(error?.code, "install_failed");
  assert.match(error.message, /Um módulo não compila: src\/addon\.c, linha 5: .*napi_create_integer/, log);
});
