/** TiddlyWiki from npm: a wiki with its own server, which keeps each page as a file of the project. */

import assert from "node:assert/strict";
import type { DeployedProgram, OpenSourceProgram } from "./open-source-program.ts";

const version = "5.4.1";
const pages = "/recipes/default/tiddlers";

export const tiddlywiki: OpenSourceProgram = {
  name: "tiddlywiki",
  kind: "wiki (npm)",
  took: "a build script that makes the wiki's folder; host=$HOST port=$PORT",
  version: async () => version,
  subdomain: "wiki",
  upload: async () => ({
    files: {
      "package.json": JSON.stringify({
        private: true,
        scripts: { build: "tiddlywiki pages --init server" },
        dependencies: { tiddlywiki: version },
      }),
    },
    config: {
      language: "node",
      version: "24",
      type: "site",
      subdomain: "wiki",
      memoryMb: 512,
      command: "tiddlywiki pages --listen host=$HOST port=$PORT",
    },
  }),
  ready: { path: "/status", status: 200 },

  async use(deployed) {
    assert.match(await (await deployed.ask("/")).text(), /<title>.*TiddlyWiki/s);
    await write(deployed, { title: "Receita", text: "farinha, água e sal", tags: "pão" });
    // It answers before the page is a file, and writes one page after the other.
    await write(deployed, { title: "Depois", text: "assar", tags: "" });
  },

  async check({ ask }) {
    const { text, tags } = (await (await ask(`${pages}/Receita`)).json()) as { text: string; tags: string };
    assert.deepEqual([text, tags], ["farinha, água e sal", "pão"]);
  },
};

/** Saves as the page's editor in the browser does; until the server has begun to write it to a file. */
async function write(
  { ask, project }: DeployedProgram,
  page: { title: string; text: string; tags: string },
): Promise<void> {
  const headers = { "content-type": "application/json", "x-requested-with": "TiddlyWiki" };
  const answer = await ask(`${pages}/${page.title}`, { method: "PUT", headers, body: JSON.stringify(page) });
  assert.equal(answer.status, 204);
  await project.prints(`Dispatching 'save' task: ${page.title}`);
}
