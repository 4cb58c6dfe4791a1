/** An open log stream of a client: all it has sent so far, and whether it has ended. */

import assert from "node:assert/strict";
import type { SpecClient } from "./spec-client.ts";

export class OpenLog implements Disposable {
  readonly response: Response;
  text = "";
  hasEnded = false;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    void this.#read();
  }

  /** Fails unless the stream is opened. */
  static async open(
    client: SpecClient,
    id: string,
    query = "",
    headers: Record<string, string> = {},
  ): Promise<OpenLog> {
    const abort = new AbortController();
    const response = await fetch(`${client.centralUrl}/api/projects/${id}/logs${query}`, {
      headers: { ...headers, authorization: `Bearer ${client.key}` },
      signal: abort.signal,
    });
    assert.equal(response.status, 200);
    return new OpenLog(response, abort);
  }

  [Symbol.dispose](): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of this.response.body ?? [])
        this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // An aborted or broken stream has ended, too.
    } finally {
      this.hasEnded = true;
    }
  }
}
