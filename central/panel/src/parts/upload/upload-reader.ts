/** The page's side of the worker: one for each folder or archive that is chosen. */

// oxlint-disable-next-line import/default -- Vite makes the address of the worker it.
import workerAddress from "./worker/upload-worker.ts?worker&url";
import type { FromWorker, Inspection, PackOptions, Packed, ToWorker } from "./worker/messages.ts";
import { PackError } from "./worker/pack-error.ts";
import type { UploadSource } from "./upload-source.ts";

type Progress = (doneBytes: number, totalBytes: number) => void;

/** Browsers without Trusted Types take the address as it is. */
interface WithTrustedTypes {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): unknown };
  };
}

/** The panel's policy lets this one make addresses of scripts, and it makes that of its own worker only. */
const policy = (globalThis as WithTrustedTypes).trustedTypes?.createPolicy("tijolo-worker", {
  createScriptURL: (address) => {
    if (address !== workerAddress) throw new TypeError("not the address of the worker");
    return address;
  },
});

export class UploadReader implements Disposable {
  readonly #worker = new Worker((policy?.createScriptURL(workerAddress) ?? workerAddress) as string, {
    type: "module",
  });
  readonly #source: UploadSource;
  #waiting: { resolve(message: FromWorker): void; reject(cause: unknown): void } | null = null;
  #onProgress: Progress = () => {};
  #packing: Promise<unknown> = Promise.resolve();

  constructor(source: UploadSource) {
    this.#source = source;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    this.#worker.addEventListener("error", (event) => {
      this.#waiting?.reject(new Error(event.message));
      this.#waiting = null;
    });
  }

  /** Reads what was chosen. Throws PackError for what cannot be sent. `onFiles` is told how many were found. */
  async inspect(onFiles: (count: number) => void = () => {}): Promise<Inspection> {
    const source = this.#source;
    if (source.kind === "archive") {
      return this.#inspection({ kind: "inspectArchive", name: source.name, file: source.file });
    }
    let count = 0;
    for await (const files of source.files()) {
      this.#send({ kind: "files", files });
      count += files.length;
      onFiles(count);
      await nextTask();
    }
    return this.#inspection({ kind: "inspect", name: source.name });
  }

  async #inspection(message: ToWorker): Promise<Inspection> {
    const answer = await this.#ask(message);
    if (answer.kind !== "inspected") throw new Error(`unexpected ${answer.kind}`);
    return answer.inspection;
  }

  /** Packs it; calls wait for each other. */
  pack(options: PackOptions, onProgress: Progress): Promise<Packed> {
    const packed = this.#packing.then(() => this.#pack(options, onProgress));
    this.#packing = packed.catch(() => {});
    return packed;
  }

  async #pack(options: PackOptions, onProgress: Progress): Promise<Packed> {
    this.#onProgress = onProgress;
    const answer = await this.#ask({ kind: "pack", options });
    if (answer.kind !== "packed") throw new Error(`unexpected ${answer.kind}`);
    return answer.packed;
  }

  /** Ends the worker; what it was doing is given up. */
  [Symbol.dispose](): void {
    this.#worker.terminate();
    this.#waiting?.reject(new DOMException("the upload was left", "AbortError"));
    this.#waiting = null;
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
    this.#waiting = { resolve, reject };
    this.#send(message);
    return promise;
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (message.kind === "progress") return this.#onProgress(message.doneBytes, message.totalBytes);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (message.kind === "refused") waiting?.reject(new PackError(message.problem));
    else if (message.kind === "failed") waiting?.reject(new Error(message.message));
    else waiting?.resolve(message);
  }
}

/** Lets the page draw and answer before the next part. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
