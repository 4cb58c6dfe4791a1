/** The worker that reads and packs what is uploaded, so that the page stays free. */

import "./no-eval.ts";
import type { FromWorker, GivenFile, ToWorker } from "./messages.ts";
import { PackError } from "./pack-error.ts";
import { ArchiveUpload, FolderUpload } from "./prepare-upload.ts";

/** Milliseconds between two words about the progress. */
const progressMs = 100;

const given: GivenFile[] = [];
let upload: FolderUpload | ArchiveUpload | null = null;
let toldAt = 0;

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  act(data).catch((cause: unknown) => {
    if (cause instanceof PackError) tell({ kind: "refused", problem: cause.problem });
    else tell({ kind: "failed", message: cause instanceof Error ? cause.message : String(cause) });
  });
});

async function act(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case "files":
      for (const file of message.files) given.push(file);
      return;
    case "inspect":
      upload = new FolderUpload(message.name, given);
      return tell({ kind: "inspected", inspection: await upload.inspect() });
    case "inspectArchive":
      upload = new ArchiveUpload(message.name, message.file);
      return tell({ kind: "inspected", inspection: await upload.inspect() });
    case "pack":
      if (upload === null) throw new Error("nothing was chosen");
      return tell({ kind: "packed", packed: await upload.pack(message.options, progress) });
  }
}

function progress(doneBytes: number, totalBytes: number): void {
  if (Date.now() - toldAt < progressMs) return;
  toldAt = Date.now();
  tell({ kind: "progress", doneBytes, totalBytes });
}

function tell(message: FromWorker): void {
  postMessage(message);
}
