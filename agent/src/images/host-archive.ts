/** Finds Debian's archive where the host itself takes it from: in apt's sources. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Addresses as they stand in a line of `sources.list`. */
export interface DebianArchive {
  main: string;
  security: string;
}

/** Describes one archive; an entry with several addresses or suites makes several archives. */
interface AptSource {
  uri: string;
  suite: string;
  components: readonly string[];
  /** Keyring of the entry; empty where apt's own set of keys counts. */
  signedBy: string;
}

/**
 * Matches the names of Debian's releases; other distributions name their suites after them too, but sign them
 * with their own keys.
 */
const release = /^(?:(?:old)*stable|testing|unstable|sid|buster|bullseye|bookworm|trixie|forky|duke)$/;
const securitySuffix = /(?:-security|\/updates)$/;

/**
 * Reads `/etc/apt/sources.list` and `/etc/apt/sources.list.d`, in apt's order; the first archive counts. A host
 * without an entry for security updates takes them from beside the archive, as most mirrors have them. Throws,
 * with what to set, where no entry is Debian's.
 */
export async function findHostArchive(apt = "/etc/apt"): Promise<DebianArchive> {
  const sources = (await readSources(apt)).filter(isDebian);
  const addressOf = async (wanted: (suite: string) => boolean) => {
    for (const { uri, suite } of sources) {
      const address = wanted(suite) ? await findAddress(uri) : undefined;
      if (address !== undefined) return address;
    }
    return undefined;
  };
  const main = await addressOf((suite) => release.test(suite));
  const security = await addressOf((suite) => securitySuffix.test(suite));
  if (main === undefined) {
    throw new Error(
      `No source in ${apt} is an archive of Debian that is reached by http or https. Set TIJOLO_DEBIAN_MIRROR to the address of a mirror that has debian and debian-security below it.`,
    );
  }
  return { main, security: security ?? new URL("../debian-security", withSlash(main)).href };
}

/** Returns the archive below an address that an operator set. */
export function archiveBelow(mirror: string): DebianArchive {
  return { main: new URL("debian", mirror).href, security: new URL("debian-security", mirror).href };
}

async function readSources(apt: string): Promise<AptSource[]> {
  const parts = await readdir(join(apt, "sources.list.d")).catch((): string[] => []);
  const files = [
    "sources.list",
    ...parts.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => join("sources.list.d", name)),
  ];
  const found = await Promise.all(
    files.map(async (file) => {
      const read = file.endsWith(".list") ? readLines : file.endsWith(".sources") ? readStanzas : undefined;
      return read?.(await readFile(join(apt, file), "utf8").catch(() => "")) ?? [];
    }),
  );
  return found.flat();
}

/** Parses lines `deb [signed-by=…] https://mirror.example/debian trixie main`, with a comment after `#`. */
function readLines(text: string): AptSource[] {
  return text.split("\n").flatMap((line) => {
    const [, options = "", uri, suite, components = ""] =
      /^\s*deb\s+(?:\[([^\]]*)\]\s+)?([^\s#]+)\s+([^\s#]+)([^#]*)/.exec(line) ?? [];
    if (uri === undefined || suite === undefined) return [];
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(options)?.[1] ?? "";
    return [{ uri, suite, components: wordsOf(components), signedBy }];
  });
}

/** Parses paragraphs of fields (deb822), as in `debian.sources`; an indented line continues a field. */
function readStanzas(text: string): AptSource[] {
  const withoutComments = text.replace(/^#.*\n?/gm, "");
  return withoutComments.split(/\n\s*\n/).flatMap((stanza) => {
    const lines = stanza.replace(/\n[ \t]+/g, " ").split("\n");
    const fields = new Map(
      lines.map((line) => {
        const [name = "", ...value] = line.split(":");
        return [name.trim().toLowerCase(), value.join(":").trim()];
      }),
    );
    const words = (name: string) => wordsOf(fields.get(name) ?? "");
    if (
      !words("types").includes("deb") ||
      /^(?:no|false|without|off|disable)$/i.test(fields.get("enabled") ?? "")
    )
      return [];
    const entry = { components: words("components"), signedBy: fields.get("signed-by") ?? "" };
    return words("uris").flatMap((uri) => words("suites").map((suite) => ({ uri, suite, ...entry })));
  });
}

function isDebian({ suite, components, signedBy }: AptSource): boolean {
  return (
    release.test(suite.replace(securitySuffix, "")) &&
    components.includes("main") &&
    (signedBy === "" || signedBy.includes("/debian-archive-"))
  );
}

/** Returns the address itself, or the first of the list of mirrors that `mirror+file:` names. */
async function findAddress(uri: string): Promise<string | undefined> {
  const [, list] = /^mirror\+file:(\/.*)$/.exec(uri) ?? [];
  const addresses =
    list === undefined ? [uri] : (await readFile(list, "utf8").catch(() => "")).split("\n").map(firstWord);
  return addresses.find((address) => /^https?:/.test(address));
}

function firstWord(line: string): string {
  return wordsOf(line)[0] ?? "";
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}
