import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ArchiveError, archiveLimits } from "@tijolo/protocol";
import { hostileArchives, hostileLimits } from "../../../test/support/archives/hostile-archives.ts";
import { rawZip, type RawArchive, type RawEntry } from "../../../test/support/archives/raw-zip.ts";
import { checkArchive, maxConfigBytes } from "./check-archive.ts";

const { signal } = new AbortController();
let directory = "";

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "check-archive-"));
});
after(() => rm(directory, { recursive: true }));

async function check(archive: readonly RawEntry[] | RawArchive | Buffer, limits = archiveLimits(1024)) {
  const path = join(directory, "upload.zip");
  await rm(path, { force: true }); // ext4 flushes a file that is written over
  await writeFile(path, Buffer.isBuffer(archive) ? archive : rawZip(archive));
  return checkArchive(path, limits, signal);
}

const config = { name: "svc.json", content: '{"language":"node"}' };

describe("an archive is refused that is", () => {
  for (const hostile of hostileArchives()) {
    test(hostile.name, async () => {
      assert.ok(hostile.proof(hostile.bytes), "the attack is in the bytes");
      const siblings = await readdir(directory);
      await assert.rejects(check(hostile.bytes, hostileLimits), (error) => {
        assert.ok(error instanceof ArchiveError, String(error));
        assert.deepEqual(
          { code: error.code, reason: error.reason },
          { code: hostile.code, reason: hostile.reason },
          error.detail,
        );
        for (const text of [error.detail, error.words?.pt ?? ""])
          assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f]/);
        assert.equal(
          error.words !== null,
          error.code === "unsafe_zip",
          "what is unsafe is told to who sent it",
        );
        return true;
      });
      assert.deepEqual(
        (await readdir(directory)).filter((name) => name !== "upload.zip"),
        siblings.filter((name) => name !== "upload.zip"),
      );
    });
  }
});

describe("an archive is accepted that", () => {
  test("is plain, and its files, bytes and svc.json are told", async () => {
    const checked = await check([config, { name: "src/" }, { name: "src/index.js", content: "12345" }]);
    assert.deepEqual(checked, {
      files: 2,
      extractedBytes: config.content.length + 5,
      topFolder: null,
      config: { path: "svc.json", text: config.content },
      tree: { files: new Set(["svc.json", "src/index.js"]), texts: new Map() },
    });
  });

  test("has all files in one folder beside the noise of macOS", async () => {
    const noise = [
      { name: "__MACOSX/p/._a", content: "noise" },
      { name: ".DS_Store", content: "noise" },
      { name: "p/.DS_Store", content: "noise" },
    ];
    const checked = await check([
      { name: "p/" },
      { ...config, name: "p/svc.json" },
      { name: "p/a/b", content: "12" },
      ...noise,
    ]);
    assert.deepEqual(checked, {
      files: 2,
      extractedBytes: config.content.length + 2,
      topFolder: "p",
      config: { path: "p/svc.json", text: config.content },
      tree: { files: new Set(["svc.json", "a/b"]), texts: new Map() },
    });
  });

  test("was made by Windows PowerShell 5.1, with backslashes in its names", async () => {
    const windows = { flags: 0, mode: 0, central: { madeBy: 20 } };
    const checked = await check([
      { ...windows, name: "p\\empty\\", method: 0 },
      { ...windows, name: "p\\src\\index.js", content: "12345" },
      { ...windows, ...config, name: "p\\svc.json" },
    ]);
    assert.deepEqual(checked, {
      files: 2,
      extractedBytes: config.content.length + 5,
      topFolder: "p",
      config: { path: "p/svc.json", text: config.content },
      tree: { files: new Set(["src/index.js", "svc.json"]), texts: new Map() },
    });
  });

  test("names files that say how it is installed, which are read unless they are too large", async () => {
    const { tree } = await check([
      config,
      { name: "package.json", content: "{}" },
      { name: "sub/package.json", content: "{}" },
      { name: ".nvmrc", content: "22" },
      { name: "requirements.txt", content: "x".repeat(256 * 1024 + 1) },
      { name: "Gemfile/" },
    ]);
    assert.deepEqual(
      [...tree.texts],
      [
        ["package.json", "{}"],
        [".nvmrc", "22"],
        ["requirements.txt", null],
      ],
    );
    assert.ok(tree.files.has("sub/package.json") && !tree.files.has("Gemfile"));
  });

  test("uses data descriptors, zip64 fields, a zip64 end and a comment", async () => {
    const entries = [
      { ...config, descriptor: true as const },
      { name: "a", content: "12", isZip64: true },
    ];
    assert.equal((await check({ entries, isZip64: true, comment: "made by hand" })).files, 2);
  });

  test("holds another archive, which is only a file", async () => {
    assert.equal(
      (
        await check([
          config,
          { name: "inner.zip", content: rawZip([{ name: "../x", content: "owned" }]), method: 0 },
        ])
      ).files,
      2,
    );
  });

  test("holds small files that compress a thousandfold", async () => {
    assert.equal((await check([config, { name: "zeros.bin", content: Buffer.alloc(10 << 20) }])).files, 2);
  });

  test("holds set-uid files and a directory that hands its group down", async () => {
    assert.equal(
      (await check([config, { name: "d/", mode: 0o42775 }, { name: "d/x", mode: 0o104755 }])).files,
      2,
    );
  });

  test("has a large file, stored or deflated", async () => {
    const content = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => (index * index) % 251));
    assert.equal(
      (await check([config, { name: "a", content }, { name: "b", content, method: 0 }])).extractedBytes,
      2 * content.length + config.content.length,
    );
  });

  test("has names in any script", async () => {
    assert.equal((await check([config, { name: "configuração/ação.js" }, { name: "日本語/🧱" }])).files, 3);
  });
});

test("names that the Explorer of Windows wrote in its code page are read, and held to the same rules", async () => {
  const windows = { flags: 0, central: { madeBy: 20 } };
  const name = Buffer.from([0x61, 0x87, 0xc6, 0x6f]); // ação
  assert.equal(
    (await check([config, { ...windows, name: Buffer.concat([name, Buffer.from("/svc")]) }])).files,
    2,
  );
  await assert.rejects(
    check([{ ...windows, name: Buffer.concat([Buffer.from("../"), name]) }]),
    (error) => error instanceof ArchiveError && error.reason === "path",
  );
  await assert.rejects(
    check([{ ...windows, name }, { name: "AÇÃO" }]),
    (error) => error instanceof ArchiveError && error.reason === "path",
  );
  await assert.rejects(
    check([{ name, flags: 0 }]),
    (error) => error instanceof ArchiveError && error.reason === "path",
  );
});

describe("svc.json", () => {
  test("loses its byte order mark", async () => {
    assert.equal(
      (await check([{ ...config, content: `\ufeff${config.content}` }])).config?.text,
      config.content,
    );
  });

  test("is not found deeper than the top folder, or as a directory", async () => {
    assert.equal((await check([{ name: "a/b/svc.json", content: "{}" }, { name: "a/x" }])).config, null);
    assert.equal((await check([{ name: "svc.json/" }, { name: "x" }])).config, null);
  });

  test("is refused when it is too long or no text", async () => {
    const isInvalidConfig = (error: unknown) =>
      error instanceof ArchiveError && error.code === "invalid_config";
    await assert.rejects(check([{ ...config, content: " ".repeat(maxConfigBytes + 1) }]), isInvalidConfig);
    await assert.rejects(check([{ ...config, content: Buffer.from([0x7b, 0xff]) }]), isInvalidConfig);
  });
});

test("a million entries are refused before any of them is read", async () => {
  const hostile = hostileArchives().find(({ name }) => name.startsWith("a million"));
  assert.ok(hostile !== undefined && hostile.bytes.length < 1000);
  await assert.rejects(
    check(hostile.bytes),
    (error) => error instanceof ArchiveError && error.reason === "file_count",
  );
});

test("a check that is aborted ends with the reason and leaves no file open", async () => {
  const path = join(directory, "large.zip");
  await writeFile(
    path,
    rawZip([
      {
        name: "large",
        content: Buffer.alloc(200 << 20, "0123456789abcdefghijklmnopqrstuvwxyz".repeat(99)),
        method: 0,
      },
    ]),
  );
  const openFiles = async () => (await readdir("/proc/self/fd")).length;
  const openBefore = await openFiles();
  const controller = new AbortController();
  const checking = checkArchive(path, archiveLimits(1024), controller.signal);
  setImmediate(() => controller.abort(new Error("enough")));
  await assert.rejects(checking, /enough/);
  assert.equal(await openFiles(), openBefore);
  await assert.rejects(checkArchive(path, archiveLimits(1024), signal, 1), { name: "TimeoutError" });
});

test("a check whose time is over ends before the directory has been read to its end", async () => {
  const path = join(directory, "upload.zip");
  await writeFile(path, rawZip([config, { name: "../last", content: "owned" }]));
  await assert.rejects(checkArchive(path, archiveLimits(1024), signal), ArchiveError);
  await assert.rejects(
    checkArchive(path, archiveLimits(1024), AbortSignal.abort(new Error("enough"))),
    /enough/,
  );
});

test(
  "ten thousand mutations of an archive are accepted with the same content or refused, and memory does not grow",
  { timeout: 300_000 },
  async () => {
    const text = "The quick brown fox. ".repeat(40);
    const original = rawZip({
      entries: [
        config,
        { name: "a/b.txt", content: text, descriptor: true },
        { name: "c", content: text, isZip64: true },
        { name: "d/" },
      ],
      comment: "hi",
    });
    const { files, extractedBytes } = await check(original);
    const content = { files, extractedBytes };
    const random = randomFrom(20_260_101);
    const outcomes = new Map<string, number>();
    let residentBytes = 0;
    for (let round = 0; round < 10_000; round += 1) {
      const bytes = mutate(original, random);
      const outcome = await check(bytes, hostileLimits).then(
        (checked) => {
          assert.deepEqual(
            { files: checked.files, extractedBytes: checked.extractedBytes },
            content,
            `round ${round}`,
          );
          return "accepted";
        },
        (error) => {
          assert.ok(error instanceof ArchiveError, `seed round ${round}: ${error?.stack}`);
          return error.code;
        },
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (round === 3000) residentBytes = process.memoryUsage().rss;
    }
    assert.ok(
      (outcomes.get("invalid_zip") ?? 0) > 5000 && (outcomes.get("accepted") ?? 0) > 100,
      JSON.stringify([...outcomes]),
    );
    assert.ok(process.memoryUsage().rss < residentBytes + (64 << 20), "memory does not grow");
  },
);

/** One to four changes: a byte, a bit, a run of bytes, a cut, an insertion, a copied piece. */
function mutate(original: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(original);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let changes = 1 + below(4); changes > 0; changes -= 1) {
    const at = below(bytes.length);
    const length = 1 + below(12);
    switch (below(6)) {
      case 0:
        bytes[at] = below(256);
        break;
      case 1:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 2:
        bytes.fill(below(2) * 255, at, Math.min(at + length, bytes.length));
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length, below(256)), bytes.subarray(at)]);
        break;
      default:
        bytes.copy(bytes, below(bytes.length), at, at + length);
    }
  }
  return bytes;
}

/** Returns a random generator (mulberry32): the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
