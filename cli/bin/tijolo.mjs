#!/usr/bin/env node
/**
 * The command `tijolo`: runs on this Node when it is new enough, else on the Node 24 that the bootstrap
 * brought. Its own text stands here: an older Node cannot read those of `protocol/src/texts`.
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = join(dirname(fileURLToPath(import.meta.url)), "..");

if (Number.parseInt(process.versions.node, 10) >= 24) {
  const { main } = await import("../src/main.ts");
  process.exitCode = await main();
} else {
  const node = join(cli, "..", ".tools", "node_modules", `node-linux-${process.arch}`, "bin", "node");
  if (existsSync(node)) {
    process.exitCode = await hand(node);
  } else {
    const bootstrap = "node cli/bootstrap/run.mjs check";
    process.stderr.write(
      `tijolo precisa do Node 24; este é o ${process.versions.node}. Na pasta do repositório, rode: ${bootstrap}\n`,
    );
    process.exitCode = 1;
  }
}

/** Runs the same command under `node` and resolves with its exit code; the terminal signals both. */
function hand(node) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: "inherit",
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
