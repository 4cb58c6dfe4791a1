import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  ArchiveTree,
  archiveLimits,
  checkCompressionRatio,
  checkFileCount,
  extractedPath,
  maxArchiveComponents,
  maxArchivePathBytes,
  ratioFreeBytes,
  readArchiveMode,
  readArchivePath,
} from "./archive.ts";
import { ArchiveError, type UnsafeArchiveReason } from "./archive-error.ts";

const bytes = (name: string) => new TextEncoder().encode(name);
const limits = archiveLimits(1024);

function isUnsafe(reason: UnsafeArchiveReason): (error: unknown) => boolean {
  return (error) => error instanceof ArchiveError && error.code === "unsafe_zip" && error.reason === reason;
}

describe("a name", () => {
  test("is taken apart at its slashes", () => {
    assert.deepEqual(readArchivePath(bytes("a/b c/ção.js")), {
      components: ["a", "b c", "ção.js"],
      isDirectory: false,
    });
    assert.deepEqual(readArchivePath(bytes("a/b/")), { components: ["a", "b"], isDirectory: true });
    assert.deepEqual(readArchivePath(bytes("..a/...")), { components: ["..a", "..."], isDirectory: false });
  });

  test("is taken apart at the backslashes of older tools of Windows too", () => {
    assert.deepEqual(readArchivePath(bytes("src\\lib\\a.js")), {
      components: ["src", "lib", "a.js"],
      isDirectory: false,
    });
    assert.deepEqual(readArchivePath(bytes("src\\")), { components: ["src"], isDirectory: true });
    assert.deepEqual(readArchivePath(bytes("src\\a/b")), {
      components: ["src", "a", "b"],
      isDirectory: false,
    });
  });

  const refusals: [string, string, string][] = [
    ["..\\x", 'O caminho tem uma parte "..": "../x".', 'The path has a part "..": "../x".'],
    [
      "a\\.\\x",
      'O caminho tem uma parte vazia ou ".": "a/./x".',
      'The path has a part that is empty or ".": "a/./x".',
    ],
    [
      "C:\\x",
      'O caminho começa com a letra de um disco: "C:/x".',
      'The path begins with the letter of a drive: "C:/x".',
    ],
    ["\\x", 'O caminho é absoluto: "/x".', 'The path is absolute: "/x".'],
    ["\\\\server\\x", 'O caminho é absoluto: "//server/x".', 'The path is absolute: "//server/x".'],
    [
      "a\u001b[31m\u2028b",
      'O nome tem um caractere de controle: "a\\u001b[31m\\u2028b".',
      'The name has a control character: "a\\u001b[31m\\u2028b".',
    ],
    [
      "🧱".repeat(300),
      `O nome passa de 255 bytes: "${"🧱".repeat(120)}…".`,
      `The name is longer than 255 bytes: "${"🧱".repeat(120)}…".`,
    ],
  ];
  for (const [name, pt, en] of refusals) {
    test(`that is refused is told with what is wrong with it: ${en.slice(0, 60)}`, () => {
      assert.throws(
        () => readArchivePath(bytes(name)),
        (error) =>
          isUnsafe("path")(error) && (assert.deepEqual((error as ArchiveError).words, { pt, en }), true),
      );
    });
  }

  test("may be as long as the system allows and no longer", () => {
    assert.equal(readArchivePath(bytes("a".repeat(255))).components.length, 1);
    const longest = `${`${"a".repeat(127)}/`.repeat(maxArchivePathBytes / 128 - 1)}${"a".repeat(128)}`;
    assert.equal(readArchivePath(bytes(longest)).components.length, maxArchivePathBytes / 128);
    assert.throws(() => readArchivePath(bytes("a".repeat(256))), isUnsafe("path"));
    assert.throws(() => readArchivePath(bytes(`${longest}a`)), isUnsafe("path"));
  });

  test("may lead a hundred directories deep and no deeper", () => {
    const deepest = "a/".repeat(maxArchiveComponents);
    assert.equal(readArchivePath(bytes(deepest)).components.length, 100);
    for (const deeper of [`${deepest}a`, `${deepest}a/`, "a/".repeat(1900)]) {
      assert.throws(() => readArchivePath(bytes(deeper)), isUnsafe("path"));
    }
  });

  test("that is accepted stays below where it is extracted, whatever its bytes", () => {
    const piece = fc.constantFrom("..", ".", "", "/", "\\", "a", "é", "\0", "C:", " ", "\u001b", "...", "~");
    const raw = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => bytes(pieces.join("/"))),
      fc.uint8Array({ maxLength: 40 }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(raw, fc.boolean(), (name, isDosName) => {
        let path;
        try {
          path = readArchivePath(name, isDosName);
        } catch (error) {
          assert.ok(isUnsafe("path")(error));
          return;
        }
        accepted += 1;
        const url = new URL(`file:///root/target/${path.components.map(encodeURIComponent).join("/")}`);
        assert.ok(url.pathname.startsWith("/root/target/") && url.pathname.length > "/root/target/".length);
        for (const component of path.components)
          assert.doesNotMatch(component, /^\.{0,2}$|[/\\\u0000-\u001f]/);
      }),
      { numRuns: 5000 },
    );
    assert.ok(accepted > 100, `${accepted} accepted`);
  });
});

describe("an entry's mode", () => {
  const file = readArchivePath(bytes("x"));
  const of = (mode: number, path = file) =>
    readArchiveMode({ externalFileAttributes: (mode << 16) >>> 0, extraFields: [] }, path);

  test("gives the executable bit and nothing else", () => {
    assert.deepEqual(of(0o100755), { isExecutable: true });
    assert.deepEqual(of(0o106644), { isExecutable: false });
    assert.deepEqual(of(0), { isExecutable: false });
    assert.deepEqual(of(0o41777, readArchivePath(bytes("d/"))), { isExecutable: false });
  });

  test("refuses every kind that is neither file nor directory", () => {
    for (const kind of [0o010000, 0o020000, 0o060000, 0o140000, 0o170000])
      assert.throws(() => of(kind | 0o644), isUnsafe("special_file"));
    assert.throws(() => of(0o120777), isUnsafe("link"));
    assert.throws(() => of(0o120777, readArchivePath(bytes("d/"))), isUnsafe("link"));
  });
});

describe("the names of an archive", () => {
  const tree = (...names: string[]) => {
    const built = new ArchiveTree(limits);
    for (const name of names) built.add(readArchivePath(bytes(name)));
    return built;
  };

  test("are a tree, in whatever order they come", () => {
    assert.doesNotThrow(() => tree("a/b/c", "a/", "a/b/", "a/d", "A-b", "ab"));
  });

  test("collide when a file system could take them for one", () => {
    const colliding = [
      ["a", "a"],
      ["a/", "a/"],
      ["a\\b", "a/b"],
      ["a\\", "a/"],
      ["a", "A"],
      ["x/a", "X/b"],
      ["a", "a/b"],
      ["a/b", "a"],
      ["é", "e\u0301"],
      ["STRASSE", "straße"],
    ];
    for (const names of colliding) assert.throws(() => tree(...names), isUnsafe("path"), names.join(" "));
  });

  const told: [string[], string][] = [
    [["a\\b", "a/b"], 'O mesmo nome aparece duas vezes: "a/b".'],
    [["x/a/1", "x/A/2"], 'Dois nomes só diferem em maiúsculas ou na codificação dos acentos: "x/a" e "x/A".'],
    [["x/a", "x/a/b/c"], 'Um arquivo e uma pasta têm o mesmo nome: "x/a".'],
    [["x/a/b/c", "x/a"], 'Um arquivo e uma pasta têm o mesmo nome: "x/a".'],
  ];
  for (const [names, pt] of told) {
    test(`that collide are told: ${names.join(" ")}`, () => {
      assert.throws(
        () => tree(...names),
        (error) => error instanceof ArchiveError && (assert.equal(error.words?.pt, pt), true),
      );
    });
  }

  test("have a top folder when all files sit in one, noise apart", () => {
    const cases: [string[], string | null][] = [
      [["p/a", "p/b/c"], "p"],
      [["p/", "p/a"], "p"],
      [["p/a", "__MACOSX/p/._a", ".DS_Store"], "p"],
      [["p/a", "empty/"], "p"],
      [["p\\a", "p\\b\\c"], "p"],
      [["p\\", "p\\a", "__MACOSX\\p\\._a"], "p"],
      [["p/a", "q/a"], null],
      [["p/a", "a"], null],
      [["a", "p/a", "p/b"], null],
      [["p/"], null],
      [["a"], null],
    ];
    for (const [names, topFolder] of cases)
      assert.equal(tree(...names).topFolder, topFolder, names.join(" "));
  });

  test("are counted with the directories they imply", () => {
    const small = new ArchiveTree({ ...limits, maxFileCount: 3 });
    small.add(readArchivePath(bytes("a/b/c")));
    assert.throws(() => small.add(readArchivePath(bytes("d"))), isUnsafe("file_count"));
  });
});

test("what is extracted lies below the top folder and is no noise", () => {
  assert.equal(extractedPath(["p", "a", "b"], "p"), "a/b");
  assert.equal(extractedPath(["p"], "p"), null);
  assert.equal(extractedPath(["q"], "p"), null);
  assert.equal(extractedPath(["p", "a"], null), "p/a");
  assert.equal(extractedPath(["p", ".DS_Store"], "p"), null);
  assert.equal(extractedPath(["__MACOSX", "p", "._a"], null), null);
});

test("small files may compress as they like, large ones a hundredfold", () => {
  assert.doesNotThrow(() => checkCompressionRatio(ratioFreeBytes, 1, () => ({ pt: "x", en: "x" })));
  assert.doesNotThrow(() =>
    checkCompressionRatio(ratioFreeBytes * 2, ratioFreeBytes / 50, () => ({ pt: "x", en: "x" })),
  );
  assert.throws(
    () => checkCompressionRatio(ratioFreeBytes * 2, ratioFreeBytes / 51, () => ({ pt: "x", en: "x" })),
    isUnsafe("compression_ratio"),
  );
});

test("a number of files over the limit is refused", () => {
  assert.doesNotThrow(() => checkFileCount(limits.maxFileCount, limits));
  assert.throws(() => checkFileCount(limits.maxFileCount + 1, limits), isUnsafe("file_count"));
});
