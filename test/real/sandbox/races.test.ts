/**
 * A project that swaps directories for links to the host, without pause, while the agent works on the same
 * disk: nothing outside changes.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { measureDirectory } from "../../../agent/src/host/files/measure-directory.ts";
import type { Instance } from "../../../agent/src/runtime/runtime.ts";
import type { Aside } from "../../../agent/src/versions/merge/set-aside.ts";
import { uncover } from "../../../agent/src/versions/merge/uncover.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";
import { perlOnHost } from "./attack.ts";

const swapsWanted = 10_000;

let host: ContainerHost;
let outside: string;
before(async () => {
  host = await ContainerHost.create();
  outside = await mkdtemp(join(tmpdir(), "tijolo-outside-"));
  await fillOutside();
});
after(async () => {
  await rm(outside, { recursive: true, force: true });
  await host[Symbol.asyncDispose]();
});

/** Fills a directory with what an agent that follows a link would remove, move, measure or give away. */
async function fillOutside(): Promise<void> {
  await rm(outside, { recursive: true, force: true });
  await mkdir(join(outside, "sub/inner"), { recursive: true });
  for (const name of ["precious", "sub/precious", "sub/inner/precious"])
    await writeFile(join(outside, name), "the host's", { mode: 0o640 });
  await writeFile(join(outside, "sub/large"), Buffer.alloc(30 << 20, "x"));
  await chmod(join(outside, "sub"), 0o751);
}

async function snapshot(directory: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of ["", ...(await readdir(directory, { recursive: true }))].sort()) {
    const { mode, uid, gid, size, ino } = await lstat(join(directory, name));
    found[name] = `${mode.toString(8)} ${uid}:${gid} ${size} ${ino}`;
  }
  return found;
}

/**
 * Swaps `d` in its own directory: a directory with a file and a directory `sub`, then a link to the host's
 * directory. Both by renames, so that there always is one of them. Counts to a file; ends after as many swaps
 * as it is told, or goes on for ever.
 */
const racer = `my ($target, $wanted) = @ARGV; my $swaps = 0; $| = 1;
  sub fill { my ($d) = @_; mkdir $d; mkdir "$d/sub"; mkdir "$d/sub/inner"; for my $f ("$d/precious", "$d/sub/precious", "$d/sub/inner/precious") { open(my $o, '>', $f); print $o 'mine' } }
  while (!$wanted || $swaps < $wanted) {
    fill("new"); symlink $target, "link";
    rename "d", "gone-$$"; rename "new", "d"; rename "d", "old"; rename "link", "d";
    for my $g ("old", "gone-$$") { if (-l $g) { unlink $g; next } unlink glob("$g/* $g/sub/* $g/sub/inner/*"); rmdir "$g/sub/inner"; rmdir "$g/sub"; rmdir $g }
    $swaps += 2;
    if ($swaps % 100 == 0) { print "swaps $swaps\\n" }
  }`;

const own = () => join(host.dataDirectory, "projects", "prj_test", "disk", "app");

async function race(work: () => Promise<void>): Promise<{ swaps: number; rounds: number }> {
  await host.writeCode("racer.pl", racer);
  const from = (await host.log()).stdout.length;
  const instance: Instance = await host.start(`exec perl racer.pl ${outside} 0`);
  let rounds = 0;
  let swaps = 0;
  try {
    await until(async () => {
      swaps = lastCount((await host.log()).stdout.slice(from));
      for (let round = 0; round < 10; round++, rounds++) await work();
      return swaps >= swapsWanted && rounds >= 50;
    }, 240_000);
  } finally {
    await host.runtime.stop("prj_test", { graceMs: 100 });
    await host.runtime.forget(instance);
  }
  return { swaps, rounds };
}

function lastCount(lines: readonly string[]): number {
  const line = lines.findLast((each) => each.startsWith("swaps "));
  return Number(line?.slice("swaps ".length) ?? 0);
}

test("the race itself works: one who checks, and then follows, is led outside", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-race-"));
  try {
    // As long as it takes for one to be fooled; the deadline is perlOnHost's.
    const endless = racer.replace("@ARGV;", `('${outside}', 0);`).replaceAll(/print "swaps[^"]*"/g, "1");
    const racing = `chdir '${directory}' or die; my $racer = fork; if ($racer == 0) { ${endless} }
      my $fooled = 0; my $looks = 0;
      while ($fooled < 3) { $looks++; next unless lstat('d') && -d _; opendir(my $names, 'd/sub') or next; $fooled++ if grep { $_ eq 'large' } readdir $names }
      kill KILL => $racer; waitpid($racer, 0); print "fooled $fooled\nlooks $looks\n";`;
    const [fooled = "", looks = ""] = perlOnHost(racing);
    t.diagnostic(`${fooled} times in ${looks}`);
    assert.equal(fooled, "fooled 3");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("measuring while links are swapped counts nothing of the host", async (t) => {
  const before = await snapshot(outside);
  let largest = 0;
  let givenUp = 0;
  const { swaps, rounds } = await race(async () => {
    // `du` may give up on a tree that changes under its feet; the earlier figure stands then.
    const megabytes = await measureDirectory(
      join(host.dataDirectory, "projects", "prj_test"),
      new AbortController().signal,
    ).catch(() => {
      givenUp++;
      return 0;
    });
    largest = Math.max(largest, megabytes);
  });
  t.diagnostic(`${swaps} swaps, ${rounds} measurements, of which ${givenUp} gave up, at most ${largest} MB`);
  assert.ok(givenUp < rounds / 2, `${givenUp} of ${rounds} gave up`);
  assert.ok(largest < 30, `${largest} MB, with the host's 30`);
  assert.deepEqual(await snapshot(outside), before);
});

test("what a removal of the project's files uses removes nothing of the host while links are swapped", async (t) => {
  const before = await snapshot(outside);
  const { swaps, rounds } = await race(async () => {
    await exec(["rm", "-rf", "--one-file-system", "--", join(own(), "d"), join(own(), "old")], {
      okCodes: [0, 1],
    });
  });
  t.diagnostic(`${swaps} swaps, ${rounds} removals`);
  assert.deepEqual(await snapshot(outside), before);
});

test("new code over what the project wrote removes nothing of the host while links are swapped", async (t) => {
  const { swaps, rounds, refused } = await mergeWhileLinksAreSwapped(() => undefined);
  t.diagnostic(`${swaps} swaps, ${rounds} merges, of which ${refused} gave up`);
});

test("what is kept of it is the project's alone while links are swapped", async (t) => {
  const replaced = join(host.dataDirectory, "projects", "prj_test", "replaced");
  let merges = 0;
  const keep = () => {
    const set = join(replaced, String(++merges));
    return { set, merging: `${set}.merging`, earlier: undefined, kept: 0 };
  };
  const { swaps, rounds, refused } = await mergeWhileLinksAreSwapped(keep);
  const kept = await exec(["find", replaced, "-type", "f", "-exec", "grep", "-l", "the host's", "{}", "+"], {
    okCodes: [0, 1],
  });
  assert.equal(kept.stdout, "", "a file of the host was kept as the project's");
  assert.ok((await readdir(replaced)).length > 0, "something was kept");
  t.diagnostic(`${swaps} swaps, ${rounds} merges, of which ${refused} gave up`);
});

/** Merges new code again and again, each time with what `asideOf` returns. */
async function mergeWhileLinksAreSwapped(asideOf: () => Aside | undefined) {
  const layer = join(host.dataDirectory, "runs", "layer");
  await mkdir(join(layer, "d/sub/inner"), { recursive: true });
  for (const name of ["precious", "sub/precious", "sub/inner/precious"])
    await writeFile(join(layer, "d", name), "new code");
  const before = await snapshot(outside);
  let refused = 0;
  try {
    const { swaps, rounds } = await race(async () => {
      await uncover(layer, own(), asideOf()).catch(() => refused++);
      assert.ok(existsSync(join(outside, "sub/inner/precious")), "the host's file is gone");
    });
    assert.deepEqual(await snapshot(outside), before);
    return { swaps, rounds, refused };
  } finally {
    await rm(layer, { recursive: true });
  }
}

test("a start over a disk full of links writes and gives away nothing of the host", async () => {
  const before = await snapshot(outside);
  const names = ["etc", "app", "home", "tmp", "upper", "work", ".tijolo-renewed", "d.tijolo-renewed"];
  await host.run(
    names
      .map(
        (name) =>
          `rm -rf ${name} /home/project/${name}; ln -s ${outside} ${name}; ln -s ${outside} /home/project/${name}`,
      )
      .join("; "),
  );
  for (const name of names) assert.ok((await lstat(join(own(), name))).isSymbolicLink(), "the link is there");
  const layer = join(host.dataDirectory, "runs", "layer");
  for (const name of names) await mkdir(join(layer, name, "sub"), { recursive: true });
  try {
    await uncover(layer, own());
  } finally {
    await rm(layer, { recursive: true });
  }
  for (const name of names) assert.equal(existsSync(join(own(), name)), false, `${name} is uncovered`);
  assert.deepEqual((await host.run("echo started")).stdout, ["started"]);
  assert.deepEqual(await snapshot(outside), before);
  assert.equal(await readFile(join(outside, "precious"), "utf8"), "the host's");
});

test("removing a project whose disk is full of links leaves what they lead to", async () => {
  const projectId = "prj_links";
  const before = await snapshot(outside);
  await host.run(
    `mkdir a; for i in 1 2 3 4 5; do ln -s ${outside} a/$i; ln -s ${outside}/sub b$i; done; ls -l a | grep -c ' -> '`,
    {
      projectId,
    },
  );
  await symlink(outside, join(host.dataDirectory, "projects", projectId, "disk", "app", "made-by-the-host"));
  await host.runtime.remove(projectId);
  assert.equal(existsSync(join(host.dataDirectory, "projects", projectId)), false);
  assert.deepEqual(await snapshot(outside), before);
});
