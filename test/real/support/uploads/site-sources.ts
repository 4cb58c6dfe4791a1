/**
 * Builds projects as people upload them: with dependencies from the registry, a wheel of their own, or pages
 * alone.
 */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { zipOf } from "../../../support/archives/zip-of.ts";
import type { Upload } from "../projects/deployed-project.ts";

/**
 * Installed by `npm ci`: it has a lock file, made by npm here and now. Answers, streams both ways and speaks
 * WebSocket.
 */
export async function expressSite(subdomain: string): Promise<Upload> {
  const packageJson = JSON.stringify({
    name: "site",
    version: "1.0.0",
    private: true,
    dependencies: { express: "5", ws: "8" },
  });
  const source = `
    const express = require("express");
    const { WebSocketServer } = require("ws");
    const app = express();
    app.get("/", (request, response) => response.send("express " + require("express/package.json").version + " on " + process.version));
    app.get("/where", (request, response) => response.json({ host: request.headers.host, port: process.env.PORT }));
    app.post("/echo", (request, response) => {
      response.write("ready\\n");
      request.on("data", (chunk) => response.write(chunk.toString().toUpperCase()));
      request.on("end", () => response.end("end\\n"));
    });
    app.get("/exit", (request, response) => response.on("finish", () => setTimeout(() => process.exit(9), 50)).send("bye"));
    const server = app.listen(process.env.PORT, process.env.HOST, () => console.log("site up"));
    new WebSocketServer({ server, path: "/socket" }).on("connection", (socket) => socket.on("message", (data) => socket.send("heard " + data)));`;
  return {
    files: {
      "package.json": packageJson,
      "package-lock.json": await npmLock(packageJson),
      "server.js": source,
    },
    config: { language: "node", version: "24", entry: "server.js", type: "site", subdomain, port: 3000 },
  };
}

/** Installed by `npm install`: it has no lock file. */
export function fastifySite(subdomain: string): Upload {
  const source = `
    import fastify from "fastify";
    const server = fastify();
    server.get("/", async () => ({ fastify: server.version, node: process.version }));
    await server.listen({ port: Number(process.env.PORT), host: process.env.HOST });
    console.log("site up");`;
  const packageJson = JSON.stringify({
    type: "module",
    scripts: { start: "node server.js" },
    dependencies: { fastify: "5" },
  });
  return {
    files: { "package.json": packageJson, "server.js": source },
    config: { language: "node", version: "22", command: "npm start", type: "site", subdomain },
  };
}

/** A bot with its library: it has no token, so it only gets ready to log in. */
export function discordBot(): Upload {
  const source = `
    const { Client, GatewayIntentBits, version } = require("discord.js");
    const client = new Client({ intents: [GatewayIntentBits.Guilds] });
    console.log("bot ready with discord.js " + version + " " + typeof client.login);
    setInterval(() => console.log("beat"), 1000);`;
  const packageJson = JSON.stringify({ dependencies: { "discord.js": "14" } });
  return {
    files: { "package.json": packageJson, "bot.js": source },
    config: { language: "node", version: "24", entry: "bot.js" },
  };
}

/** Builds a bot whose one requirement lies beside it, as a wheel. */
export async function pythonBot(): Promise<Upload> {
  const name = "bricklaying-1.0-py3-none-any.whl";
  const info = "bricklaying-1.0.dist-info";
  const wheel = await zipOf({
    "bricklaying.py": "def lay(count):\n    return 'laid ' + str(count)\n",
    [`${info}/METADATA`]: "Metadata-Version: 2.1\nName: bricklaying\nVersion: 1.0\n",
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/RECORD`]: `bricklaying.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  });
  const source =
    "import sys, time, bricklaying\nprint(bricklaying.lay(7), sys.version.split()[0], sys.prefix)\nwhile True: time.sleep(1)\n";
  return {
    files: { "main.py": source, [name]: wheel, "requirements.txt": `./${name}\n` },
    config: { language: "python", version: "3.13", entry: "main.py" },
  };
}

export function staticSite(subdomain: string): Upload {
  return {
    files: {
      "public/index.html": "<h1>static page</h1>",
      "public/about.html": "about",
      "secret.txt": "not served",
    },
    config: { language: "static", root: "public", subdomain },
  };
}

async function npmLock(packageJson: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `tijolo-real-${process.pid}-lock-`));
  try {
    await writeFile(join(directory, "package.json"), packageJson);
    await promisify(execFile)("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], {
      cwd: directory,
    });
    return await readFile(join(directory, "package-lock.json"), "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
