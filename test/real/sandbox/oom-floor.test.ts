/**
 * Tests who is killed first when the host's memory runs out: a project cannot put itself before the host's
 * own programs.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findLowOomFloor } from "../../../agent/src/host/cgroups/oom-floor.ts";
import { ContainerHost } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

test("a project lowers its oom_score_adj no further than to 500, or the agent warns that this host does not keep it there", async (t) => {
  const problem = await findLowOomFloor();
  t.diagnostic(problem === undefined ? "the agent has CAP_SYS_RESOURCE" : problem.problem);
  const lower = `cat /proc/self/oom_score_adj; for low in 500 499 0 -1; do echo $low > /proc/self/oom_score_adj && echo "set $low"; done; true`;
  const { stdout } = await host.run(lower);
  assert.deepEqual(
    stdout,
    problem === undefined ? ["600", "set 500"] : ["600", "set 500", "set 499", "set 0"],
  );
});
