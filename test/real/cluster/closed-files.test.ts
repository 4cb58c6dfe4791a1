/**
 * Tests that the files of central and an agent are closed to every other user of the machine, to the
 * resolver's too, while projects run.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { writeOpenFile } from "../../../agent/src/host/files/open-files.ts";
import { resolverId } from "../../../agent/src/network/resolver/resolver-id.ts";
import { DeployedProject } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const nobody = 65_534;
const marker = `marker-of-${process.pid}`;
/** Prints those of the paths of its input that it can list or read as the user that is its argument. */
const attempt = `my ($id) = @ARGV; ($(, $)) = ($id, "$id $id"); ($<, $>) = ($id, $id); die "still another user" if $> != $id;
  $/ = "\\0";
  while (defined(my $path = <STDIN>)) { chomp $path; print "$path\\n" if -d $path ? opendir(my $names, $path) : -f _ && open(my $in, '<', $path) }`;

let cluster: RealCluster;
let site: DeployedProject;
before(async () => {
  cluster = await RealCluster.create();
  const { client } = await cluster.createAccount();
  const files = {
    "package.json": JSON.stringify({
      name: "site",
      version: "1.0.0",
      scripts: { build: `echo ${marker} > built.txt` },
    }),
    "package-lock.json": JSON.stringify({
      name: "site",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: { "": { name: "site", version: "1.0.0" } },
    }),
    "index.js": `const { writeFileSync } = require("fs"); for (const path of ["own.sqlite", process.env.HOME + "/own.txt"]) writeFileSync(path, process.env.SECRET);
      require("http").createServer((_, response) => response.end("ok")).listen(process.env.PORT, process.env.HOST, () => console.log("up ${marker}"));`,
  };
  const config = {
    language: "node",
    version: "24",
    entry: "index.js",
    type: "site",
    subdomain: "quiet-shelf",
  };
  site = await DeployedProject.create(client, { files, config, start: false });
  await site.is("stopped", 300_000);
  await client.setVariables({ id: site.id, body: { variables: { SECRET: marker } } });
  await client.startProject({ id: site.id });
  await site.prints(`up ${marker}`, 300_000);
});
after(() => cluster[Symbol.asyncDispose]());

test("the attempt reads what is open to the user, and root finds what it is made on", async (context) => {
  const open = await mkdtemp(join(tmpdir(), "tijolo-open-"));
  context.after(() => rm(open, { recursive: true }));
  await chmod(open, 0o755);
  await writeOpenFile(join(open, "file"), marker);
  await writeFile(join(open, "closed"), marker, { mode: 0o600 });
  for (const id of [nobody, resolverId])
    assert.deepEqual(openTo(id, pathsIn(open)).sort(), [open, join(open, "file")]);

  const names = pathsIn(cluster.host.dataDirectory).join("\n");
  for (const name of [
    "own.sqlite",
    "own.txt",
    "built.txt",
    "ledger.sqlite",
    "run.json",
    "zone.json",
    "stdout/1-.log",
    "/installs/",
    "/layer",
  ])
    assert.ok(names.includes(name), `${name} is not there`);
  const hasImages = readFileSync("/proc/self/mounts", "utf8").includes(
    join(cluster.host.dataDirectory, "projects", site.id),
  );
  assert.equal(names.includes(".img"), hasImages);
});

test("nobody, and the resolver's user, read and list nothing that central or the agent keeps, whatever names they know", () => {
  const { dataDirectory } = cluster.host;
  const kept = [...pathsIn(dataDirectory), ...pathsIn(join(cluster.directory, "central"))];
  assert.ok(kept.length > 100, String(kept.length));
  for (const id of [nobody, resolverId]) assert.deepEqual(openTo(id, kept), []);
  // Were the data directory itself open, each of its own would still be closed.
  for (const name of readdirSync(dataDirectory)) {
    const entry = lstatSync(join(dataDirectory, name));
    if (!entry.isSymbolicLink()) assert.equal(entry.mode & 0o077, 0, name);
  }
});

test("every file that their code has written is for its owner alone", () => {
  const { dataDirectory } = cluster.host;
  // What containers see has the modes that programs expect, in directories that only root can enter.
  const shown =
    /^(projects\/|tools($|\/)|installs\/[^/]+\/[^/]+\/layer|runs\/[^/]+\/[^/]+\/(root|shifted-\d+)($|\/))/;
  const written = [...filesIn(dataDirectory, shown), ...filesIn(join(cluster.directory, "central"), /^$/)];
  assert.ok(written.length > 30, written.join("\n"));
  assert.deepEqual(
    written.filter((path) => (lstatSync(path).mode & 0o077) !== 0),
    [],
  );
});

test("the resolver sees one directory of the machine, and in it can read the zone alone", () => {
  const { pid } = JSON.parse(
    readFileSync(join(cluster.host.dataDirectory, "network/resolver/process.json"), "utf8"),
  ) as { pid: number };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  assert.match(status, new RegExp(`^Uid:\\t${resolverId}\\t${resolverId}\\t${resolverId}\\t`, "m"));
  assert.match(status, new RegExp(`^Gid:\\t${resolverId}\\t${resolverId}\\t${resolverId}\\t`, "m"));
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").trim().split("\n");
  assert.equal(mounts.length, 1, mounts.join("\n"));
  assert.match(mounts[0] ?? "", / \/ ro,nosuid,nodev,noexec/);
  assert.deepEqual(readdirSync(`/proc/${pid}/root/`).sort(), ["process.json", "resolver.log", "zone.json"]);
  assert.deepEqual(openTo(resolverId, [`/proc/${pid}/root/`]), []);
  const readable = ["process.json", "resolver.log", "zone.json"].filter((name) => seenIn(pid, name));
  assert.deepEqual(readable, ["zone.json"]);
  // A directory that it holds open would lead to the machine's files again.
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const held = `/proc/${pid}/fd/${descriptor}`;
    const kind = statSync(held);
    assert.ok(
      !kind.isDirectory() && (!kind.isFile() || basename(readlinkSync(held)) === "resolver.log"),
      readlinkSync(held),
    );
  }
});

/** True when the resolver's user can read the file of the resolver's root. */
function seenIn(pid: number, name: string): boolean {
  const program = `chroot "/proc/$ARGV[0]/root" or die "chroot: $!"; chdir '/'; ($(, $)) = ($ARGV[1], "$ARGV[1] $ARGV[1]"); ($<, $>) = ($ARGV[1], $ARGV[1]);
    print open(my $in, '<', "/$ARGV[2]") ? 'read' : 'closed';`;
  const { stdout, stderr } = spawnSync("perl", ["-e", program, String(pid), String(resolverId), name], {
    encoding: "utf8",
  });
  assert.match(stdout, /^(read|closed)$/, stderr);
  return stdout === "read";
}

function openTo(id: number, paths: readonly string[]): string[] {
  const options = { input: paths.join("\0"), encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const { stdout, stderr, status } = spawnSync("perl", ["-e", attempt, String(id)], options);
  assert.equal(status, 0, stderr);
  return stdout.split("\n").filter(Boolean);
}

/** The directory and all below it, as root finds it; links are not followed. */
function pathsIn(directory: string): string[] {
  return spawnSync("find", [directory, "-print0"], { encoding: "utf8", maxBuffer: 1 << 28 })
    .stdout.split("\0")
    .filter(Boolean);
}

/** Returns the paths of the files below the directory, without the parts of it that `left` names. */
function filesIn(directory: string, left: RegExp, top = directory): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (left.test(relative(top, path) + (entry.isDirectory() ? "/" : ""))) return [];
    return entry.isDirectory() ? filesIn(path, left, top) : entry.isFile() ? [path] : [];
  });
}
