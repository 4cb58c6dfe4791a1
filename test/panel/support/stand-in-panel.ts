/** A built panel of a few lines, for tests of how one is served. */

import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

export const standInFiles = {
  "index.html":
    '<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Tijolo</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/assets/main-b2.css"><body><h1>…</h1><script type="module" src="/assets/main-a1.js"></script></body></html>',
  "favicon.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 4h9v6H2z"/></svg>',
  "assets/main-b2.css": "body { color: rgb(168, 64, 42); }",
  "assets/main-a1.js": `
    const title = document.querySelector("h1");
    const trusted = trustedTypes.createPolicy("tijolo-worker", { createScriptURL: (url) => url });
    const worker = new Worker(trusted.createScriptURL("/assets/worker-c3.js"), { type: "module" });
    worker.onmessage = async ({ data }) => {
      const { status } = await fetch("/api/session");
      title.textContent = [data, location.pathname, navigator.language, status].join(" ");
    };
    worker.postMessage("worker");
  `,
  "assets/worker-c3.js": "onmessage = ({ data }) => postMessage(data);",
};

/** Writes the build as the real one is: elsewhere first, then moved to its place as a whole. */
export async function writeStandInPanel(directory: string): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  for (const [name, text] of Object.entries(standInFiles)) {
    const path = join(unfinished, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await writeFile(`${path}.br`, brotliCompressSync(text));
    await writeFile(`${path}.gz`, gzipSync(text));
  }
  await rename(unfinished, directory);
}
