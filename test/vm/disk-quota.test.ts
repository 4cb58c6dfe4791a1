/**
 * Disks by the quotas of ext4 and XFS, which need a kernel that has them; runs inside the virtual machine of
 * `pnpm test:vm`.
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { assertDiskNotFull } from "../../agent/src/disk/disk-full.ts";
import { ImageDisks } from "../../agent/src/disk/image-disks.ts";
import { openProjectDisks } from "../../agent/src/disk/open-project-disks.ts";
import type { ProjectDisks } from "../../agent/src/disk/project-disks.ts";
import { exec } from "../../agent/src/host/exec.ts";

const silent = { info: () => {}, warn: () => {}, error: console.error };
const quotaIds = new Map([
  ["prj_one", 0x1000_0000],
  ["prj_two", 0x1001_0000],
]);
const timeoutMs = 300_000;
/** Writes as a project does: without the powers of the host's root. */
const asProject = (...argv: string[]) => [
  "setpriv",
  "--reuid",
  "100000",
  "--regid",
  "100000",
  "--clear-groups",
  ...argv,
];

const kinds = [
  { fileSystem: "ext4", kind: "ext4-quota", make: ["mkfs.ext4", "-q", "-F", "-O", "project,quota"] },
  { fileSystem: "xfs", kind: "xfs-quota", make: ["mkfs.xfs", "-q", "-f"] },
] as const;

describe(
  "disks in the virtual machine",
  { skip: process.env.TIJOLO_VM === undefined ? "runs in the virtual machine of `pnpm test:vm`" : false },
  () => {
    for (const { fileSystem, kind, make } of kinds) {
      describe(`by project quotas of ${fileSystem}`, async () => {
        const directory = await mkdtemp(join(tmpdir(), `quota-${fileSystem}-`));
        const data = join(directory, "data");
        const opened: ProjectDisks[] = [];
        after(async () => {
          await exec(["umount", data], { okCodes: [0, 32] });
          await rm(directory, { recursive: true, force: true });
        });
        const disks = () => {
          const newest = opened.at(-1);
          if (newest === undefined) throw new Error("no disks were opened");
          return newest;
        };
        const open = async () => {
          opened.push(
            await openProjectDisks({
              dataDirectory: data,
              quotaIdOf: (id) => quotaIds.get(id) ?? 0,
              logger: silent,
            }),
          );
        };
        const place = (id: string, name: string) => join(data, "projects", id, name);
        const usedMb = async (id: string) => {
          await exec(["sync", "--file-system", data], { timeoutMs });
          return (await disks().usage(id)).usedMb;
        };
        const fill = async (id: string, name: string, megabytes: number) => {
          await exec(["chown", "-R", "100000:100000", join(data, "projects", id)]);
          // The program here has no mount that leads it past them, as containers have.
          await exec(["chmod", "711", directory, data, join(data, "projects")]);
          const argv = ["dd", "if=/dev/zero", `of=${place(id, name)}`, "bs=1M", `count=${megabytes}`];
          return exec(asProject(...argv), { timeoutMs, okCodes: [0, 1] });
        };

        test("they are chosen where the data directory's file system has them", async () => {
          const image = join(directory, "disk.img");
          await writeFile(image, "");
          await truncate(image, 600 * 2 ** 20);
          await exec([...make, image], { timeoutMs });
          await mkdir(data);
          await exec(["mount", "-o", "loop,prjquota", image, data], { timeoutMs });
          await open();
          assert.equal(disks().kind, kind);
        });

        test("a project ends at its limit, and its neighbour writes on", async () => {
          for (const id of quotaIds.keys()) await disks().open(id, { limitMb: 40, isUp: false });
          const { code, stderr } = await fill("prj_one", "filler", 100);
          assert.equal(code, 1);
          assert.match(stderr, /No space left on device|Disk quota exceeded/);
          assert.ok(
            (await usedMb("prj_one")) >= 36 && (await usedMb("prj_one")) <= 41,
            `${await usedMb("prj_one")} MB`,
          );
          assert.equal((await disks().usage("prj_one")).full, "bytes");
          assert.equal((await fill("prj_two", "filler", 30)).code, 0);
        });

        test("so does one that writes through an overlay, as containers do", async () => {
          await rm(place("prj_one", "filler"));
          for (const name of ["upper", "work", "root", "lower"]) await mkdir(place("prj_one", name));
          await exec(["chown", "-R", "100000:100000", join(data, "projects", "prj_one")]);
          const options = `lowerdir=${place("prj_one", "lower")},upperdir=${place("prj_one", "upper")},workdir=${place("prj_one", "work")}`;
          await exec(["mount", "-t", "overlay", "-o", options, "overlay", place("prj_one", "root")]);
          try {
            const argv = asProject(
              "dd",
              "if=/dev/zero",
              `of=${place("prj_one", "root/filler")}`,
              "bs=1M",
              "count=100",
            );
            assert.match(
              (await exec(argv, { timeoutMs, okCodes: [1] })).stderr,
              /No space left on device|Disk quota exceeded/,
            );
          } finally {
            await exec(["umount", place("prj_one", "root")]);
          }
          assert.ok((await usedMb("prj_one")) <= 41);
        });

        test("what the agent itself writes beyond the limit is noticed", async () => {
          const { code } = await exec(
            ["dd", "if=/dev/zero", `of=${place("prj_one", "by-root")}`, "bs=1M", "count=60"],
            {
              timeoutMs,
              okCodes: [0, 1],
            },
          );
          await exec(["sync", "--file-system", data], { timeoutMs });
          if (code === 0) await assert.rejects(assertDiskNotFull(disks(), "prj_one"), /disk is full/);
          await rm(place("prj_one", "by-root"), { force: true }); // XFS does not even make it
        });

        test("files without end are refused", async () => {
          const script = 'my $n = 0; while (open(my $f, ">", "$ARGV[0]/f$n")) { $n++ } print "$n $!\\n"';
          await mkdir(place("prj_two", "many"));
          await exec(["chown", "100000:100000", place("prj_two", "many")]);
          const { stdout } = await exec(asProject("perl", "-e", script, place("prj_two", "many")), {
            timeoutMs,
          });
          assert.match(stdout, /^1\d{4} (No space left on device|Disk quota exceeded)/);
          await rm(place("prj_two", "many"), { recursive: true });
        });

        test("a project cannot move a file of its own out of its limit", async () => {
          const script = `my $all = pack('L5 x8', (0) x 5); open(my $file, '<', $ARGV[0]) or die "$ARGV[0]: $!";
            ioctl($file, 0x801c581f, $all) or die "get: $!"; my @all = unpack('L5', $all); my $own = $all[3];
            for my $id ($own + 0x10000, 0, $own) { $! = 0; $all[3] = $id; print ioctl($file, 0x401c5820, pack('L5 x8', @all)) ? 'done' : $! + 0, ' ' }`;
          await writeFile(place("prj_two", "mine"), "x");
          await exec(["chown", "100000:100000", place("prj_two", "mine")]);
          const change = async (...inside: string[]) =>
            (
              await exec(asProject(...inside, "perl", "-e", script, place("prj_two", "mine")), { timeoutMs })
            ).stdout.trim();
          assert.equal(await change("unshare", "--user", "--map-root-user"), "22 22 done");
          // The user namespace is what refuses it: outside of one, a file's owner may.
          assert.equal(await change(), "done done done");
          await rm(place("prj_two", "mine"));
        });

        test("a limit grows and shrinks at once, never below what is used; a next agent finds it", async () => {
          assert.equal(await disks().resize("prj_two", 80), "resized");
          assert.equal((await disks().usage("prj_two")).limitMb, 80);
          assert.equal((await fill("prj_two", "more", 40)).code, 0);
          await usedMb("prj_two");
          assert.equal(await disks().resize("prj_two", 20), "kept");
          assert.ok(((await disks().usage("prj_two")).limitMb ?? 0) >= 69);
          await open();
          await disks().recover();
          await disks().open("prj_two", { limitMb: 20, isUp: true });
          assert.ok(
            ((await disks().usage("prj_two")).limitMb ?? 0) >= 69,
            "what the next agent did not count itself",
          );
          await disks().open("prj_two", { limitMb: 100, isUp: true });
          assert.equal((await disks().usage("prj_two")).limitMb, 100);
        });

        test("files from before count from the next start on", async () => {
          await disks().remove("prj_one");
          await mkdir(place("prj_one", "disk/app"), { recursive: true });
          await exec(["dd", "if=/dev/zero", `of=${place("prj_one", "disk/app/old")}`, "bs=1M", "count=20"], {
            timeoutMs,
          });
          await disks().open("prj_one", { limitMb: 40, isUp: true }); // an install beside a run from before
          assert.equal((await fill("prj_one", "disk/app/unheld", 60)).code, 0, "nothing counts yet");
          await rm(place("prj_one", "disk/app/unheld"));
          await disks().open("prj_one", { limitMb: 40, isUp: false });
          assert.ok((await usedMb("prj_one")) >= 20);
          assert.equal((await fill("prj_one", "disk/app/new", 100)).code, 1);
        });

        test("a removed project's room is free", async () => {
          await disks().remove("prj_one");
          await disks().open("prj_one", { limitMb: 40, isUp: false });
          assert.equal(await usedMb("prj_one"), 0);
          for (const id of quotaIds.keys()) await disks().remove(id);
        });
      });
    }

    test("an image grows while it is mounted, where root has all its powers", async () => {
      const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-grow-"));
      const disks = await ImageDisks.create({ dataDirectory, logger: silent });
      await disks.open("prj_one", { limitMb: 40, isUp: false });
      assert.equal(await disks.resize("prj_one", 100), "resized");
      const argv = [
        "dd",
        "if=/dev/zero",
        `of=${join(dataDirectory, "projects/prj_one/filler")}`,
        "bs=1M",
        "count=90",
      ];
      await exec(argv, { timeoutMs });
      assert.equal((await disks.usage("prj_one")).limitMb, 100);
      await disks.remove("prj_one");
      await disks[Symbol.asyncDispose]();
      await rm(dataDirectory, { recursive: true });
    });
  },
);
