/** Guards every call of a connection: bounds how many are under way, and translates their errors. */

import { TRPCError } from "@trpc/server";
import { AppError } from "@tijolo/protocol";
import type { LinkLogger } from "./link-options.ts";

export interface CallGateOptions {
  maxCalls: number;
  logger: LinkLogger;
  /** Throws when the connection is over. */
  refuseIfOver: () => void;
  /** Ends the connection. */
  onTooMany: () => void;
}

const codesByStatus = new Map<number, TRPCError["code"]>([
  [401, "UNAUTHORIZED"],
  [404, "NOT_FOUND"],
  [503, "SERVICE_UNAVAILABLE"],
]);

export class CallGate {
  readonly #options: CallGateOptions;
  #underWay = 0;
  #waiting = 0;

  constructor(options: CallGateOptions) {
    this.#options = options;
  }

  /** Runs a call. `extraCalls`: for calls delayed on purpose, how many more than usual may run. */
  async run<T>(name: string, work: () => T | Promise<T>, extraCalls = 0): Promise<T> {
    this.#enter(extraCalls);
    try {
      return await work();
    } catch (error) {
      throw this.#translate(name, error);
    } finally {
      this.#underWay--;
    }
  }

  /**
   * Runs a call that waits for long, and is counted apart from the others. Refuses the
   * call when `most` of them are under way.
   */
  async wait<T>(name: string, most: number, work: () => T | Promise<T>): Promise<T> {
    this.#options.refuseIfOver();
    if (this.#waiting >= most) throw new TRPCError({ code: "TOO_MANY_REQUESTS" });
    this.#waiting++;
    try {
      return await work();
    } catch (error) {
      throw this.#translate(name, error);
    } finally {
      this.#waiting--;
    }
  }

  /** Runs a subscription, which counts as one call for as long as it lives. */
  async *stream<T>(name: string, items: AsyncIterable<T>): AsyncGenerator<T> {
    this.#enter(0);
    try {
      yield* items;
    } catch (error) {
      throw this.#translate(name, error);
    } finally {
      this.#underWay--;
    }
  }

  #enter(extraCalls: number): void {
    const { maxCalls, refuseIfOver, onTooMany } = this.#options;
    refuseIfOver();
    if (this.#underWay >= maxCalls + extraCalls) onTooMany();
    refuseIfOver();
    this.#underWay++;
  }

  #translate(call: string, error: unknown): TRPCError {
    if (error instanceof TRPCError) return error;
    if (error instanceof AppError) {
      return new TRPCError({ code: codesByStatus.get(error.status) ?? "BAD_REQUEST", message: error.code });
    }
    this.#options.logger.error({ err: error, call }, "link: a call failed");
    return new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "internal_error" });
  }
}
