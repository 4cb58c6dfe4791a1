/** Tests that operators see a machine's hardware, and that the process that looks has no rights. */

import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ApiError } from "@tijolo/protocol";
import { exec, hostEnvironment } from "../../agent/src/host/exec.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const program = join(import.meta.dirname, "../../agent/src/reports/hardware-program.ts");

test("an operator sees the machine's hardware, and is told when the machine is away", async () => {
  await using cluster = await TestCluster.create({ hosts: 1 });
  const client = cluster.operator.client();
  const { hardware } = await client.getHostHardware({ host: "host-1" });
  assert.equal(hardware.processor.threads, availableParallelism());
  const memoryMb = hardware.memory.reduce((sum, { sizeMb }) => sum + sizeMb, 0);
  assert.ok(memoryMb >= Math.floor(totalmem() / 2 ** 20), `${memoryMb} MB`);

  await cluster.hosts[0]?.stop();
  const refused = await until(() =>
    client.getHostHardware({ host: "host-1" }).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  assert.ok(refused instanceof ApiError && refused.code === "server_unavailable", String(refused));
});

test(
  "what looks at the hardware runs as nobody",
  { skip: process.getuid?.() !== 0 && "only root can become nobody" },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-hardware-"));
    try {
      await chmod(directory, 0o777);
      // The library asks `lscpu` by a shell line, and finds this one.
      await writeFile(
        join(directory, "lscpu"),
        `#!/bin/sh\nid -u > ${directory}/user\nid -G > ${directory}/groups\n`,
      );
      await chmod(join(directory, "lscpu"), 0o755);
      const env = { ...hostEnvironment, PATH: `${directory}:${hostEnvironment["PATH"] ?? ""}` };
      await exec([process.execPath, program], { env, cwd: "/" });
      assert.equal((await readFile(join(directory, "user"), "utf8")).trim(), "65534");
      assert.equal((await readFile(join(directory, "groups"), "utf8")).trim(), "65534");
    } finally {
      await rm(directory, { recursive: true });
    }
  },
);
