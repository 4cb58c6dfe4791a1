/** Makes the files that a configuration starts or serves: an upload without them is refused. */

/** Commands that only run a file. */
const runners = /^(?:node|tsx|python|java -jar|php|php-server|ruby|dotnet|mix run --no-halt) (?!-)(.+)$/;

/** Returns an empty file for the entry, for the file of the command and in the served folder. */
export function startFiles(svcJson: unknown): Record<string, string> {
  if (typeof svcJson !== "object" || svcJson === null) return {};
  const { entry, command, root } = svcJson as Record<string, unknown>;
  const run = typeof command === "string" ? runners.exec(command)?.[1] : undefined;
  const paths = [
    entry,
    run?.replaceAll("'\\''", "\u0000").replaceAll("'", "").replaceAll("\u0000", "'"),
    typeof root === "string" && root !== "" ? `${root}/index.html` : "",
  ];
  const inside = paths.filter(
    (path): path is string =>
      typeof path === "string" && /^(?![/-])(?!.*\.\.)[^\\\p{Cc}\u2028\u2029]{1,200}$/u.test(path),
  );
  return Object.fromEntries(inside.map((path) => [path, ""]));
}
