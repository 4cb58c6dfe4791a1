/** What a person can choose to upload, and how a drop or a file input becomes it. */

import type { GivenFile } from "./worker/messages.ts";

export type UploadSource =
  | { kind: "folder"; name: string; files(): AsyncIterable<GivenFile[]> }
  | { kind: "archive"; name: string; file: File };

/** Files that are handed over at once; between two parts the page draws. */
const partSize = 500;
/** Files after which a folder is not read further: it is told then. */
export const mostGivenFiles = 200_000;

/** Folders of a drop that are passed over unread: what the service makes anew, often the most files of all. */
const unread = new Set([".git", "node_modules", ".venv", "__pycache__"]);

/** The files of `<input webkitdirectory>`; null when the folder is empty. */
export function sourceOfFolderInput(files: FileList): UploadSource | null {
  const path = files[0]?.webkitRelativePath;
  if (path === undefined) return null;
  const name = path.split("/", 1)[0] ?? "";
  return {
    kind: "folder",
    name,
    files: async function* () {
      for (let start = 0; start < Math.min(files.length, mostGivenFiles); start += partSize) {
        const part: GivenFile[] = [];
        for (let index = start; index < Math.min(start + partSize, files.length); index++) {
          const file = files[index];
          if (file !== undefined) part.push({ name: withoutTop(file.webkitRelativePath), file });
        }
        yield part;
      }
    },
  };
}

/** One .zip, or loose files, which count as a folder. */
export function sourceOfFiles(files: readonly File[]): UploadSource | null {
  const [first] = files;
  if (first === undefined) return null;
  if (files.length === 1 && /\.zip$/i.test(first.name))
    return { kind: "archive", name: first.name.replace(/\.zip$/i, ""), file: first };
  return folderOf(
    "",
    files.map((file) => ({ name: file.name, file })),
  );
}

/** Files whose texts are known, as those of an example. */
export function sourceOfTexts(name: string, texts: Readonly<Record<string, string>>): UploadSource {
  return folderOf(
    name,
    Object.entries(texts).map(([path, text]) => ({ name: path, file: new Blob([text]) })),
  );
}

function folderOf(name: string, files: GivenFile[]): UploadSource {
  return {
    kind: "folder",
    name,
    files: async function* () {
      yield files;
    },
  };
}

/** What was dropped. It has to be called in the event itself: afterwards a browser forgets the items. */
export function sourceOfDrop(data: DataTransfer): UploadSource | null {
  const entries = [...data.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const [first] = entries;
  if (entries.length === 1 && first?.isDirectory === true) {
    return {
      kind: "folder",
      name: first.name,
      files: () => inParts(walk(first as FileSystemDirectoryEntry, "")),
    };
  }
  if (entries.some(({ isDirectory }) => isDirectory))
    return { kind: "folder", name: "", files: () => inParts(walkAll(entries, "")) };
  return sourceOfFiles([...data.files]);
}

async function* walk(
  folder: FileSystemDirectoryEntry,
  path: string,
): AsyncGenerator<GivenFile, void, undefined> {
  const reader = folder.createReader();
  for (;;) {
    // A browser gives a hundred at a time, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    yield* walkAll(entries, path);
  }
}

async function* walkAll(
  entries: readonly FileSystemEntry[],
  path: string,
): AsyncGenerator<GivenFile, void, undefined> {
  // A question for each file, a hundred at a time: one after the other they are most of the time.
  const files = await Promise.all(entries.map(fileOf));
  for (const [index, entry] of entries.entries()) {
    const name = `${path}${entry.name}`;
    const file = files[index];
    if (entry.isDirectory && unread.has(entry.name)) {
      // Stands for all that is in it, so that it is named among what was left out.
      yield { name: `${name}/…`, file: new Blob() };
    } else if (entry.isDirectory) {
      yield* walk(entry as FileSystemDirectoryEntry, `${name}/`);
    } else if (file != null) {
      yield { name, file };
    }
  }
}

/** Null for a folder. */
function fileOf(entry: FileSystemEntry): Promise<File | null> {
  return new Promise((resolve, reject) => {
    if (entry.isDirectory) resolve(null);
    else (entry as FileSystemFileEntry).file(resolve, reject);
  });
}

async function* inParts(files: AsyncIterable<GivenFile>): AsyncGenerator<GivenFile[], void, undefined> {
  let part: GivenFile[] = [];
  let count = 0;
  for await (const file of files) {
    part.push(file);
    count++;
    if (part.length < partSize) continue;
    yield part;
    part = [];
    if (count >= mostGivenFiles) return;
  }
  yield part;
}

function withoutTop(path: string): string {
  return path.slice(path.indexOf("/") + 1);
}
