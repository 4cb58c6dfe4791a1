import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { machineNews } from "@tijolo/protocol";
import { findLaxSettings, raiseSharedBudgets } from "./kernel-settings.ts";

async function settings(context: TestContext, values: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), "kernel-settings-"));
  context.after(() => rm(root, { recursive: true }));
  const directory = join(root, "sys");
  for (const [name, value] of Object.entries(values)) {
    const file = join(directory, ...name.split("."));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, value);
  }
  const read = (name: string) => readFile(join(directory, ...name.split(".")), "utf8");
  return { directory, root, read };
}

test("budgets that all projects share are raised, never lowered", async (context) => {
  const { directory, read } = await settings(context, {
    "fs.inotify.max_user_instances": "128\n",
    "fs.inotify.max_user_watches": "9999999\n",
  });
  assert.deepEqual(await raiseSharedBudgets({ directory }), ["fs.inotify.max_user_instances"]);
  assert.equal(await read("fs.inotify.max_user_instances"), "65536");
  assert.equal(await read("fs.inotify.max_user_watches"), "9999999\n");
  assert.deepEqual(await raiseSharedBudgets({ directory }), []);
});

test("a lax setting is told with the line that mends it; one that the kernel lacks is not", async (context) => {
  const { directory, root } = await settings(context, {
    "kernel.unprivileged_bpf_disabled": "0\n",
    "kernel.yama.ptrace_scope": "1\n",
    "kernel.unprivileged_userns_clone": "1\n",
  });
  const lax = await findLaxSettings({ directory });
  assert.deepEqual(
    lax.map(({ problem }) => /\((\S+) is/.exec(problem)?.[1]),
    ["kernel.unprivileged_userns_clone", "kernel.unprivileged_bpf_disabled"],
  );
  assert.deepEqual(
    lax.map(({ news }) => machineNews.parse(news)),
    [
      { code: "lax_setting", setting: "kernel.unprivileged_userns_clone", value: 1 },
      { code: "lax_setting", setting: "kernel.unprivileged_bpf_disabled", value: 0 },
    ],
  );
  assert.match(lax[1]?.howToFix ?? "", /kernel\.unprivileged_bpf_disabled = 1/);
  await writeFile(join(root, "swaps"), "Filename Type Size Used Priority\n/dev/vdb partition 1 0 -2\n");
  assert.match((await findLaxSettings({ directory })).at(-1)?.problem ?? "", /swaps/);
});
