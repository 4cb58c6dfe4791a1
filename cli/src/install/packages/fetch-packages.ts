/**
 * `install packages`: fetches the Debian packages that a host needs into one file, on a machine with internet.
 * apt checks them against the signatures of Debian's archive.
 *
 * A command of its own, and not one of central's: central may have no internet either, and the file is then
 * carried to it. There it lies beside the release's archives, and `install central` takes both.
 */

import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageSetFile, toolsSuite, type PackageSet, type PackageSuite } from "@tijolo/protocol";
import type { Messages } from "../../messages.ts";
import { aptOptions, optionsOf } from "./apt-options.ts";
import { countryPackage } from "./country-tables.ts";
import { findMirror, mirrorBelow, type DebianMirror } from "./debian-mirror.ts";
import { neededPackages } from "./host-packages.ts";
import { runProgram } from "../run-program.ts";

export interface PackagesRequest extends PackageSet {
  /** Address that has `debian` and `debian-security` below it; null: the archive of this machine's apt. */
  mirror: string | null;
  /** Directory that gets the file. */
  output: string;
  messages: Pick<Messages, "install">;
  /** Called with each step as it begins. */
  say: (step: string) => void;
}

export interface FetchedPackages extends PackageSet {
  file: string;
  sizeBytes: number;
  /** Number of packages in the file. */
  packages: number;
}

const fetchTimeoutMs = 15 * 60_000;
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** Packages that must have the same version as one of the needed ones, on a machine that has them. */
const sameVersion = [
  "systemd-sysv",
  "systemd-resolved",
  "systemd-timesyncd",
  "udev",
  "libpam-systemd",
  "libnss-systemd",
  "libnss-myhostname",
  "libnss-resolve",
];
/** Packages that are taken without what they depend on: of them a machine uses files alone. */
const alone = [countryPackage];
/** Packages of the trees that an agent runs its tools from. */
const tools = ["dash", "libc6", "libcap-ng0", "nginx", "util-linux", "wireguard-go", "wireguard-tools"];
const architectures = { x64: "amd64", arm64: "arm64" } as const;

/** Resolves once the file is whole under its name; an earlier one stays until then. */
export async function fetchPackages(request: PackagesRequest): Promise<FetchedPackages> {
  const { suite, architecture, output, say, messages } = request;
  const { install: texts } = messages;
  await access(keyring).catch((cause: unknown) => {
    throw new Error(texts.noDebianKeyring(keyring), { cause });
  });
  const mirror = request.mirror === null ? await findMirror() : mirrorBelow(request.mirror);
  if (mirror === null) throw new Error(texts.noMirror);
  await mkdir(output, { recursive: true });
  const scratch = await mkdtemp(join(output, ".tijolo-packages-"));
  try {
    const folders = foldersOf(suite);
    let packages = 0;
    for (const [each, names] of folders) {
      say(texts.fetchingPackages(each));
      const single = each === suite ? alone : [];
      packages += await fetchFolder(scratch, { suite: each, names, single, architecture, mirror });
    }
    const name = packageSetFile(request);
    const draft = join(scratch, name);
    const plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    await runProgram(["tar", "-czf", draft, ...plain, "-C", scratch, ...folders.keys()]);
    const file = join(output, name);
    await rename(draft, file);
    return { suite, architecture, file, sizeBytes: (await stat(file)).size, packages };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns what a set has of which suite: the tools are of the same one on every host. */
function foldersOf(suite: PackageSuite): Map<PackageSuite, readonly string[]> {
  const ofHost = [...neededPackages, ...sameVersion];
  // HAProxy is new enough in the suite of the tools alone; central's own machine installs it from there.
  if (suite === toolsSuite) return new Map([[suite, [...ofHost, ...tools, "haproxy"]]]);
  return new Map<PackageSuite, readonly string[]>([
    [suite, ofHost],
    [toolsSuite, tools],
  ]);
}

/**
 * Makes a folder with the packages and all that they depend on, as for an empty machine: what a host has of it
 * is left alone there. `Packages` is the folder's index. Resolves with the number of packages.
 */
async function fetchFolder(
  scratch: string,
  {
    suite,
    names,
    single,
    architecture,
    mirror,
  }: Pick<PackageSet, "suite" | "architecture"> & {
    names: readonly string[];
    /** Packages without what they depend on. */
    single: readonly string[];
    mirror: DebianMirror;
  },
): Promise<number> {
  const [directory, folder] = [join(scratch, `apt-${suite}`), join(scratch, suite)];
  await mkdir(directory);
  await mkdir(folder);
  const status = join(directory, "status");
  await writeFile(status, "");
  const sources = [
    [mirror.main, suite],
    [mirror.main, `${suite}-updates`],
    [mirror.security, `${suite}-security`],
  ].map(([address, each]) => `deb [signed-by=${keyring}] ${address} ${each} main`);
  const debianArchitecture = architectures[architecture];
  const options = [
    ...(await aptOptions(directory, sources)),
    ...optionsOf({
      "Dir::State": directory,
      "Dir::State::status": status,
      "APT::Architecture": debianArchitecture,
      "APT::Architectures": debianArchitecture,
    }),
  ];
  const limits = { timeoutMs: fetchTimeoutMs };
  await runProgram(["apt-get", "--quiet", ...options, "update", "--error-on=any"], limits);
  await runProgram(
    ["apt-get", "--quiet", "--yes", ...options, "--download-only", "install", ...names],
    limits,
  );
  const archives = join(directory, "cache/archives");
  if (single.length > 0)
    await runProgram(["apt-get", "--quiet", ...options, "download", ...single], { ...limits, cwd: archives });
  const files = (await readdir(archives)).filter((file) => file.endsWith(".deb"));
  const versions = files.map((file) => file.split("_").slice(0, 2).map(decodeURIComponent).join("="));
  const { stdout } = await runProgram(["apt-cache", ...options, "show", ...versions]);
  const stanzas = new Map(stdout.split(/\n\n+/).flatMap(toIndex));
  for (const file of files) {
    const stanza = stanzas.get(file);
    if (stanza === undefined) throw new Error(`apt-cache show: ${file}`);
    await rename(join(archives, file), join(folder, stanza.name));
  }
  const index = files.flatMap((file) => stanzas.get(file)?.text ?? []);
  await writeFile(join(folder, "Packages"), `${index.join("\n\n")}\n`);
  return files.length;
}

/** Returns a paragraph of apt's index by the name that apt gives the file; it says where the file lies here. */
function toIndex(stanza: string): [string, { name: string; text: string }][] {
  const [name, version, architecture] = ["Package", "Version", "Architecture"].map(
    (field) => new RegExp(`^${field}: (\\S+)$`, "m").exec(stanza)?.[1] ?? "",
  );
  if (name === "" || version === undefined) return [];
  const own = `${name}_${architecture}.deb`;
  const text = stanza.trim().replace(/^Filename: .+$/m, `Filename: ./${own}`);
  return [[`${name}_${version.replaceAll(":", "%3a")}_${architecture}.deb`, { name: own, text }]];
}
