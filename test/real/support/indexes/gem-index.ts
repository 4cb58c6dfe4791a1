/**
 * Writes a gem server of Ruby (Bundler's compact index, as files) with gems that Debian has, packed again by
 * Ruby itself.
 */

import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPackages } from "../programs/fetched-packages.ts";
import { runInImage } from "../images/run-in-image.ts";
import type { ServedFolder } from "./served-folder.ts";

/** Entries of the index, by the package that has each gem. */
const gems = [
  { package: "ruby-concurrent", name: "concurrent-ruby", needs: "" },
  { package: "ruby-tzinfo", name: "tzinfo", needs: "concurrent-ruby:~> 1.0" },
] as const;

const pack = `require "rubygems/package"
  Dir["/gems/specifications/*.gemspec"].each do |file|
    spec = Gem::Specification.load(file)
    next unless ARGV.include?(spec.name)
    Dir.chdir("/gems/gems/#{spec.full_name}") do
      spec.files = Dir["**/*"].select { |path| File.file?(path) }
      spec.extra_rdoc_files = []
      Gem::Package.build(spec, true, false, "/packed-#{spec.name}-#{spec.version}.gem")
    end
  end`;

/** Returns the server's address. `layers` are those of an image with Ruby. */
export async function writeGemIndex(folder: ServedFolder, layers: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const [name, { version, content }] of await packedGems(layers)) {
    const needs = gems.find((gem) => gem.name === name)?.needs ?? "";
    const information = `---\n${version} ${needs}|checksum:${createHash("sha256").update(content).digest("hex")}\n`;
    await folder.write(`ruby/gems/${name}-${version}.gem`, content);
    await folder.write(`ruby/info/${name}`, information);
    lines.push(`${name} ${version} ${createHash("md5").update(information).digest("hex")}`);
  }
  await folder.write("ruby/versions", `created_at: 2026-01-01T00:00:00+00:00\n---\n${lines.join("\n")}\n`);
  return `${folder.origin}/ruby/`;
}

async function packedGems(
  layers: readonly string[],
): Promise<Map<string, { version: string; content: Buffer }>> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-gems-"));
  try {
    const input = join(directory, "input");
    for (const gem of gems) {
      const root = await debianPackages(gem.package, [gem.package]);
      await mkdir(join(input, "gems"), { recursive: true });
      await cp(join(root, "usr/share/rubygems-integration/all"), join(input, "gems"), { recursive: true });
    }
    await runInImage(directory, [input, ...layers], ["ruby", "-e", pack, ...gems.map(({ name }) => name)]);
    const packed = new Map<string, { version: string; content: Buffer }>();
    for (const path of await readdir(directory, { recursive: true })) {
      const [, name, version] = /\/upper\/packed-(.+)-([\d.]+)\.gem$/.exec(path) ?? [];
      if (name !== undefined && version !== undefined)
        packed.set(name, { version, content: await readFile(join(directory, path)) });
    }
    return packed;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
