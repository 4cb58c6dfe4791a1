/**
 * Runs a command in an image, without any isolation: it shows what an image has and lacks, not what a
 * container allows.
 */

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";

/**
 * The image is writable for the time of the command; `directory` takes what it writes. `argv` as in `chroot`.
 */
export async function runInImage(
  directory: string,
  layers: readonly string[],
  argv: readonly string[],
): Promise<string> {
  const writable = await mkdtemp(join(directory, "run-"));
  const mountAndRun = `set -e; mkdir "$1/upper" "$1/work" "$1/root"
    mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mount --rbind /dev "$1/root/dev"; mount -t proc proc "$1/root/proc"
    root=$1/root; shift 2; exec chroot "$root" "$@"`;
  const namespaces = ["unshare", "--mount", "--propagation", "slave", "--pid", "--fork", "--kill-child=KILL"];
  const { stdout } = await exec(
    [...namespaces, "sh", "-c", mountAndRun, "sh", writable, layers.join(":"), ...argv],
    {
      env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: "/root", LANG: "C.UTF-8" },
      timeoutMs: 180_000,
    },
  );
  return stdout;
}

/** Runs likewise a script of the image's shell, which ends at the first command that fails. */
export function runScriptInImage(
  directory: string,
  layers: readonly string[],
  script: string,
): Promise<string> {
  return runInImage(directory, layers, ["sh", "-euc", script]);
}
