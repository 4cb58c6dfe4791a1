/** Reads a live stream in the background, as a panel does, and keeps the state that it leads to. */

import {
  applyLiveEvent,
  emptyLiveState,
  type Client,
  type LiveEvent,
  type LiveProject,
  type LiveState,
} from "@tijolo/protocol";
import { until } from "../until.ts";

export class LiveReader implements AsyncDisposable {
  readonly events: LiveEvent[] = [];
  state: LiveState = emptyLiveState;
  /** Id of the last event that had one. */
  lastEventId: string | undefined;
  /** Error that refused or broke the stream; null while there is none. */
  failure: unknown = null;
  isOver = false;
  readonly #controller = new AbortController();
  readonly #work: Promise<void>;

  constructor({ client }: { client: Client }, cursor?: string) {
    this.#work = this.#read(client, cursor);
  }

  /** Opens a stream, and resolves once its first snapshot has come; throws what refuses it. */
  static async whole(session: { client: Client }): Promise<LiveReader> {
    const reader = new LiveReader(session);
    await until(() => reader.state.isComplete || reader.isOver);
    if (reader.failure !== null) throw reader.failure;
    return reader;
  }

  find(projectId: string): LiveProject | undefined {
    return this.state.projects.get(projectId);
  }

  /** Resolves with the project once the stream has shown it so. */
  async shows(projectId: string, isReached: (live: LiveProject) => boolean): Promise<LiveProject> {
    try {
      return await until(() => {
        const live = this.find(projectId);
        return live !== undefined && isReached(live) ? live : undefined;
      });
    } catch (cause) {
      throw new Error(`never shown; it is ${JSON.stringify(this.find(projectId))}`, { cause });
    }
  }

  of<Kind extends LiveEvent["event"]>(kind: Kind): Extract<LiveEvent, { event: Kind }>[] {
    return this.events.filter((event): event is Extract<LiveEvent, { event: Kind }> => event.event === kind);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.#work;
  }

  async #read(client: Client, cursor: string | undefined): Promise<void> {
    const { signal } = this.#controller;
    const query = cursor === undefined ? {} : { cursor };
    try {
      for await (const event of client.streamEvents({ query }, { signal })) {
        this.events.push(event);
        this.lastEventId = event.id ?? this.lastEventId;
        this.state = applyLiveEvent(this.state, event);
      }
    } catch (failure) {
      if (!signal.aborted) this.failure = failure;
    } finally {
      this.isOver = true;
    }
  }
}
