import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mountPointsBelow, projectsUnitOf } from "./end-projects.ts";

test("the unit of the containers has the name that the agent gives it", async () => {
  const agent = join(import.meta.dirname, "../../../../agent/src");
  const runtime = await readFile(join(agent, "runtime/nspawn/nspawn-runtime.ts"), "utf8");
  const delegation = await readFile(join(agent, "host/cgroups/cgroup-delegation.ts"), "utf8");
  assert.ok(runtime.includes("openCgroups(`tijolo-${options.instanceName}`)"));
  assert.ok(delegation.includes("`${name}-projects.service`"));
  assert.equal(projectsUnitOf(), "tijolo-main-projects.service");
  assert.equal(projectsUnitOf("second"), "tijolo-second-projects.service");
});

test("mounts of the agent's data are found, the last first, and no others", () => {
  const line = (id: number, point: string) => `${id} 20 8:1 / ${point} rw - ext4 /dev/sda1 rw`;
  const text = ["/", "/data/agent", "/data/agent/projects/a\\040b", "/data/agents"].map((point, index) =>
    line(30 + index, point),
  );
  assert.deepEqual(mountPointsBelow(`${text.join("\n")}\n`, "/data/agent"), [
    "/data/agent/projects/a b",
    "/data/agent",
  ]);
});
