/** Defines what a command works with; `create-context.ts` builds it. */

import type { Client } from "@tijolo/protocol";
import type { Configuration } from "./configuration.ts";
import type { Messages } from "./messages.ts";
import type { Output } from "./show/output.ts";

export interface CommandContext {
  messages: Messages;
  output: Output;
  environment: Readonly<Record<string, string | undefined>>;
  configuration: Configuration;
  workingDirectory: string;
  /** Aborted when the person interrupts. */
  signal: AbortSignal;
  fetch: typeof globalThis.fetch;
  clock: { now(): number };
  random: () => number;
  /**
   * Resolves with a line that a person typed, or that stands on stdin; null at its end. `isSecret` hides the
   * input.
   */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string | null>;
  /** Resolves with all of stdin, to its end. */
  readInput(): Promise<string>;
  /** True when a person sits at stdin, who can be asked. */
  isInteractive: boolean;
  /** Opens an address in the person's browser; returns false where there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Returns the account's client and its address. Throws CommandFailure before the first login. */
  connect(): Promise<{ client: Client; url: string }>;
  /** Returns the operator's client and its address. Throws CommandFailure before the first login. */
  connectOperator(): Promise<{ client: Client; url: string }>;
}
