/** Opens a ledger's file in a directory of its own, as often as a test likes; removed at the end. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger, type Ledger } from "../../../agent/src/ledger/ledger.ts";

export class LedgerBench implements AsyncDisposable {
  readonly directory: string;
  readonly warnings: object[] = [];

  /** Is called by {@link LedgerBench.create} only. */
  constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<LedgerBench> {
    return new LedgerBench(await mkdtemp(join(tmpdir(), "tijolo-ledger-")));
  }

  get path(): string {
    return join(this.directory, "ledger.db");
  }

  open(maxOutboxEntries?: number): Ledger & Disposable {
    const logger = { warn: (fields: object) => this.warnings.push(fields) };
    const ledger = openLedger({
      path: this.path,
      clock: { now: () => 0 },
      logger,
      ...(maxOutboxEntries === undefined ? {} : { maxOutboxEntries }),
    });
    return { ...ledger, [Symbol.dispose]: () => ledger.close() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}
