/** How long the HTTP edge waits for the other side. */

export const defaultApiBounds = {
  /** From the head of a request to the last byte of its JSON body. */
  jsonBodyMs: 30_000,
  /** An upload that moves no byte for this long is ended. */
  uploadIdleMs: 60_000,
  /**
   * From an upload's first byte to its last: so long, and so much more for each MB that the account's plan
   * allows.
   */
  uploadBaseMs: 10 * 60_000,
  uploadMsPerMb: 1_000,
  /**
   * What is left of a refused body is read and thrown away for this long, so that the refusal is not lost in
   * a reset.
   */
  lingerMs: 5_000,
  /** Between two comments on an event stream. */
  pingMs: 15_000,
  /** Whether the key or session that a stream or an upload goes on with still works. */
  callerCheckMs: 10_000,
  /** A reader of an event stream that takes nothing for this long is cut. */
  drainMs: 60_000,
};

export type ApiBounds = typeof defaultApiBounds;
