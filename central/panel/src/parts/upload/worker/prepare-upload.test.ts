import assert from "node:assert/strict";
import { test } from "node:test";
import { ArchiveUpload, FolderUpload } from "./prepare-upload.ts";
import { PackError } from "./pack-error.ts";
import { readZip } from "../../zip/zip-directory.ts";
import type { GivenFile, PackOptions } from "./messages.ts";

const all: PackOptions = { config: {}, withDotenv: true, mostBytes: null };

function given(files: Record<string, string | Blob>): GivenFile[] {
  return Object.entries(files).map(([name, content]) => ({ name, file: new Blob([content]) }));
}

test("what is left out is told with its size and the reason, and the rest is proposed for", async () => {
  const upload = new FolderUpload(
    "loja",
    given({
      ".gitignore": "*.log\n",
      "a.log": "12345",
      "node_modules/x/a.js": "1".repeat(1_000),
      "node_modules/x/b.js": "1".repeat(500),
      "main.py": "print(1)",
      "requirements.txt": "",
    }),
  );
  const { leftOut, fileCount, proposal } = await upload.inspect();
  assert.deepEqual(
    leftOut.map(({ name, reason, rule, fileCount, bytes }) => [name, reason, rule, fileCount, bytes]),
    [
      ["node_modules", "service", null, 2, 1_500],
      ["a.log", "rule", "*.log", 1, 5],
    ],
  );
  assert.equal(fileCount, 3);
  assert.equal(proposal?.config.language, "python");
});

test("100,000 files beside the program cost nothing; as part of it they are too many", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `f${index}.js`);
  const file = new Blob(["1"]);
  const beside = [
    { name: "main.py", file },
    ...many.map((name) => ({ name: `node_modules/p${name.length}/${name}`, file })),
  ];
  const upload = new FolderUpload("x", beside);
  const { leftOut } = await upload.inspect();
  assert.deepEqual([leftOut[0]?.fileCount, leftOut[0]?.bytes], [100_000, null]);
  assert.equal((await upload.pack(all, () => {})).fileCount, 1);
  const part = new FolderUpload(
    "x",
    many.map((name) => ({ name, file })),
  );
  await assert.rejects(
    part.pack(all, () => {}),
    isProblem({ code: "tooManyFiles", most: 50_000, count: 100_000 }),
  );
});

test("a file that is another when it is read, or gone, is named", async () => {
  const changing = new Blob(["12345"]);
  Object.defineProperty(changing, "size", { value: 7 });
  await assert.rejects(
    new FolderUpload("x", [{ name: "a.txt", file: changing }]).pack(all, () => {}),
    isProblem({ code: "changed", name: "a.txt" }),
  );
  const broken = (error: DOMException) =>
    Object.assign(new Blob(["1"]), {
      stream: () => new ReadableStream({ pull: (controller) => controller.error(error) }),
    });
  for (const [cause, code] of [
    ["NotReadableError", "changed"],
    ["NotFoundError", "unreadable"],
  ] as const)
    await assert.rejects(
      new FolderUpload("x", [{ name: "a.txt", file: broken(new DOMException("", cause)) }]).pack(
        all,
        () => {},
      ),
      isProblem({ code, name: "a.txt" }),
    );
});

test("an archive that grows past the limit is given up, a folder without files is told", async () => {
  const random = new Uint8Array(200_000).map(() => Math.random() * 256);
  const upload = new FolderUpload("x", given({ "a.bin": new Blob([random]), "b.bin": new Blob([random]) }));
  await assert.rejects(
    upload.pack({ ...all, mostBytes: 100_000 }, () => {}),
    isProblem({ code: "tooLarge", mostBytes: 100_000 }),
  );
  await assert.rejects(
    new FolderUpload("x", []).pack(all, () => {}),
    isProblem({ code: "empty" }),
  );
});

test("what the configuration names and the folder lacks is told, a script may be run", async () => {
  const upload = new FolderUpload("x", given({ "start.sh": "#!/bin/sh\n", "a.txt": "1" }));
  const config = { language: "node", entry: "index.js" };
  const { blob, missing } = await upload.pack({ ...all, config }, () => {});
  assert.deepEqual(missing, { setting: "entry", name: "index.js" });
  const bytes = Buffer.from(await blob.arrayBuffer());
  const modes = Object.fromEntries(
    (await readZip(blob)).map(({ name }) => {
      const at = bytes.lastIndexOf(Buffer.from(name)) - 46;
      return [name, (bytes.readUInt32LE(at + 38) >>> 16).toString(8)];
    }),
  );
  assert.deepEqual(modes, { "a.txt": "100644", "start.sh": "100755" });
});

test("an archive is read by its directory: a folder around all is passed over, rubbish is no archive", async () => {
  const files = {
    "loja/svc.json": '{"language":"node","entry":"a.js"}',
    "loja/a.js": "1",
    "loja/.env": "A=1",
  };
  const { blob } = await new FolderUpload("x", given(files)).pack(all, () => {});
  const { svcJson, dotenv, fileCount } = await new ArchiveUpload("loja", blob).inspect();
  assert.deepEqual(svcJson, { config: { language: "node", entry: "a.js" } });
  assert.deepEqual([dotenv, fileCount], ["A=1", 3]);
  for (const rubbish of [new Blob([]), new Blob(["not a zip ".repeat(50)]), blob.slice(0, blob.size - 30)])
    await assert.rejects(new ArchiveUpload("x", rubbish).inspect(), isProblem({ code: "notAnArchive" }));
});

function isProblem(problem: object): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PackError);
    assert.deepEqual(error.problem, problem);
    return true;
  };
}
