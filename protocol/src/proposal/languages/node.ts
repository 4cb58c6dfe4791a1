/** Proposes settings for Node: by package.json, then by the files that programs usually begin in. */

import { z } from "zod";
import { entryOfCommand } from "../../project/start-command.ts";
import type { Draft } from "../draft.ts";
import type { TreeReader } from "../project-tree.ts";
import { versionFor } from "../../project/wanted-version.ts";
import {
  proposeByCode,
  proposeEntry,
  proposeTypeByPackages,
  type KnownPackages,
  type LanguageProposal,
} from "./language-proposal.ts";

const file = "package.json";

const entries = [
  "index",
  "bot",
  "server",
  "app",
  "main",
  "src/index",
  "src/bot",
  "src/server",
  "src/app",
  "src/main",
].flatMap((name) => [".js", ".mjs", ".cjs", ".ts", ".mts"].map((ending) => `${name}${ending}`));

const packages: KnownPackages = {
  bots: [
    "discord.js",
    "eris",
    "oceanic.js",
    "discordeno",
    "@discordeno/bot",
    "seyfert",
    "@sapphire/framework",
    "telegraf",
    "grammy",
    "node-telegram-bot-api",
    "telegram",
    "whatsapp-web.js",
    "@whiskeysockets/baileys",
    "baileys",
    "venom-bot",
    "@wppconnect-team/wppconnect",
    "tmi.js",
    "@twurple/chat",
    "@slack/bolt",
    "mineflayer",
    "matrix-bot-sdk",
  ],
  sites: [
    "next",
    "nuxt",
    "@nestjs/core",
    "express",
    "fastify",
    "koa",
    "hono",
    "@hapi/hapi",
    "restify",
    "polka",
    "@adonisjs/core",
    "@remix-run/serve",
    "@react-router/serve",
    "@sveltejs/adapter-node",
    "@astrojs/node",
    "@apollo/server",
    "apollo-server",
    "socket.io",
    "json-server",
    "http-server",
    "serve",
    "nitropack",
    "h3",
    "@strapi/strapi",
    "node-red",
    "verdaccio",
    "thelounge",
    "@actual-app/sync-server",
    "tiddlywiki",
    "directus",
    "n8n",
    "parse-server",
  ],
};

/** Folders that builds of pages write to, by the package that builds them. */
const builders: Readonly<Record<string, string>> = {
  vite: "dist",
  "react-scripts": "build",
  "@vue/cli-service": "dist",
  astro: "dist",
  parcel: "dist",
  "@11ty/eleventy": "_site",
  gatsby: "public",
  "@docusaurus/core": "build",
  vitepress: ".vitepress/dist",
};
/** Start scripts that serve pages for their author only. */
const authorsServer =
  /^(?:npx\s+)?(?:vite|react-scripts start|vue-cli-service serve|astro|parcel|eleventy|gatsby develop|docusaurus start|vitepress dev)\b/;

/** Names of a port in a start script: the variable PORT, or an option of the program. */
const namesPort = /\$\{?PORT\b|(?:^|\s)--port\b/;

/** Start of a framework's server after its build. */
const servers: Readonly<Record<string, string>> = {
  next: "next start",
  nuxt: "node .output/server/index.mjs",
};

const manifest = z.looseObject({
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  engines: z
    .looseObject({ node: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
type Manifest = z.infer<typeof manifest>;

export const node: LanguageProposal = {
  sign: (tree) => tree.first([file, ...entries]),
  async propose(draft, tree) {
    const found = readManifest(await tree.text(file));
    draft.addName(found.name?.replace(/^@[^/]*\//, ""), { code: "stated", file, name: "name" });
    draft.addDescription(found.description, { code: "stated", file, name: "description" });
    if (proposePages(draft, found)) return;
    proposeStart(draft, tree, found);
    proposeEntry(draft, tree, entries);
    proposeTypeByPackages(draft, { names: namesOf(found), file }, packages);
    if (namesPort.test(found.scripts["start"] ?? ""))
      draft.add("type", "site", { code: "script", file, name: "start" });
    await proposeByCode(draft, tree, draft.entry);
    await proposeVersion(draft, tree, found);
  },
};

function readManifest(text: string): Manifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return manifest.parse({});
  }
}

function namesOf({ dependencies, devDependencies }: Manifest): Set<string> {
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
}

/** Proposes a static site for pages that a build makes and no server of the project answers for. */
function proposePages(draft: Draft, found: Manifest): boolean {
  const { start = "", build } = found.scripts;
  const names = namesOf(found);
  const builder = Object.keys(builders).find((name) => names.has(name));
  const isServed = draft.hasStart || packages.sites.some((name) => names.has(name)) || draft.type === "bot";
  if (builder === undefined || build === undefined || isServed) return false;
  if (start !== "" && !authorsServer.test(start)) return false;
  draft.remove("language");
  draft.remove("version"); // of the image that a Dockerfile builds with
  draft.add("language", "static", { code: "dependency", file, name: builder });
  draft.add("type", "site", { code: "dependency", file, name: builder });
  draft.add("root", builders[builder], { code: "built", file, name: builder });
  return true;
}

function proposeStart(draft: Draft, tree: TreeReader, { main, scripts, ...found }: Manifest): void {
  if (draft.hasStart) return;
  const { start } = scripts;
  if (start !== undefined) {
    const entry = entryOfCommand("node", start.trim());
    const reason = { code: "script", file, name: "start" } as const;
    if (entry !== null && tree.has(entry)) draft.add("entry", entry, reason);
    else draft.add("command", "npm start", reason);
    return;
  }
  const names = namesOf({ main, scripts, ...found });
  const server = Object.keys(servers).find((name) => names.has(name));
  if (server !== undefined) draft.add("command", servers[server], { code: "usual", file, name: server });
  const path = main?.replace(/^\.\//, "");
  const entryFile = path === undefined ? null : tree.first([path, `${path}.js`, `${path}/index.js`]);
  if (!draft.hasStart) draft.add("entry", entryFile, { code: "stated", file, name: "main" });
}

async function proposeVersion(draft: Draft, tree: TreeReader, { engines }: Manifest): Promise<void> {
  if (engines?.node !== undefined)
    return draft.add("version", versionFor("node", engines.node), { code: "stated", file, name: "engines" });
  const own = await tree.firstText([".nvmrc", ".node-version"]);
  if (own !== null) draft.add("version", versionFor("node", own.text), { code: "file", file: own.file });
}
