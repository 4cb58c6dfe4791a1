/** Tests what the kernel tells a project through /proc and /sys: the allow-list. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  emptyKernelDirectories,
  visibleKernelFiles,
} from "../../../agent/src/runtime/nspawn/visible-kernel-files.ts";
import { ContainerHost } from "../support/host/container-host.ts";
import { perlInside, perlOnHost } from "./attack.ts";

const known = [...visibleKernelFiles, ...emptyKernelDirectories];
/** Prints how many entries each directory has. */
const countEntries = `for my $path (@ARGV) { opendir(my $names, $path) or print("$path: $!\\n"), next; print "$path ", scalar(grep { !/^\\.\\.?$/ } readdir $names), "\\n" }`;

/**
 * Prints each listed path that is there, and each other one that shows anything: a file with contents, a
 * directory with entries. Processes have directories of their own, and links lead to other entries.
 */
const lookAround = `use Fcntl; my %listed = map { $_ => 1 } @ARGV; my $looked = 0;
  sub shows { my ($path) = @_; $looked++;
    if (-d $path) { opendir(my $names, $path) or return 0; return scalar grep { !/^\\.\\.?$/ } readdir $names }
    sysopen(my $file, $path, O_RDONLY | O_NONBLOCK) or return 0; return sysread($file, my $text, 64); }
  sub around { my ($directory) = @_; opendir(my $names, $directory) or die "$directory: $!";
    for my $path (map { "$directory/$_" } grep { !/^(\\.\\.?|\\d+)$/ } sort readdir $names) {
      next if -l $path;
      if ($listed{$path}) { print "listed $path\\n" }
      elsif (grep { index($_, "$path/") == 0 } keys %listed) { around($path) }
      elsif (shows($path)) { print "other $path\\n" }
    } }
  around($_) for qw(/proc /sys); print $looked > 20 ? "looked\\n" : "looked at $looked\\n"`;

describe("the files of the kernel in a container", () => {
  let host: ContainerHost;
  before(async () => {
    host = await ContainerHost.create();
  });
  after(() => host[Symbol.asyncDispose]());

  test("are those of the allow-list; whatever else this kernel has is empty", async () => {
    const outside = perlOnHost(lookAround, visibleKernelFiles);
    for (const path of ["/proc/diskstats", "/proc/fs", "/sys/block"]) {
      assert.ok(
        outside.includes(`other ${path}`),
        `the search does not find ${path} on the host: ${outside.join("\n")}`,
      );
    }
    const listed = outside.filter((line) => line.startsWith("listed "));
    const expected = [...listed, ...emptyKernelDirectories.map((path) => `listed ${path}`)].sort();
    assert.ok(expected.length > 10, expected.join("\n"));
    const inside = await perlInside(host, lookAround, { args: known });
    const found = inside.stdout.filter((line) => line !== "looked");
    assert.deepEqual(found.sort(), expected, inside.stderr.join("\n"));
    assert.ok(inside.stdout.includes("looked"), inside.stdout.join("\n"));
  });

  test("are empty directories where a program would take a missing one for an error", async () => {
    const { stdout, stderr } = await perlInside(host, countEntries, { args: emptyKernelDirectories });
    assert.deepEqual(
      stdout,
      emptyKernelDirectories.map((path) => `${path} 0`),
      stderr.join("\n"),
    );
  });

  test("are the same in an install step", async () => {
    await host.writeCode("look.pl", lookAround);
    const request = await host.installRequest(`perl look.pl ${known.join(" ")}`);
    assert.equal((await host.runtime.install(request, new AbortController().signal)).status, "installed");
    const { stdout } = await host.log("prj_test", "install");
    assert.deepEqual(
      stdout.filter((line) => line.startsWith("other ")),
      [],
    );
    assert.ok(stdout.includes("looked"), stdout.join("\n"));
  });
});
