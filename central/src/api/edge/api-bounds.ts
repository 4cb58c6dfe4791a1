/** Times for which the HTTP edge waits for the other side, in milliseconds. */

export const defaultApiBounds = {
  /** Milliseconds from the head of a request to the last byte of its JSON body. */
  jsonBodyMs: 30_000,
  /** Milliseconds without progress after which an upload is ended. */
  uploadIdleMs: 60_000,
  /**
   * Milliseconds from an upload's first byte to its last; `uploadMsPerMb` is added for each MB that the
   * account's plan allows.
   */
  uploadBaseMs: 10 * 60_000,
  uploadMsPerMb: 1_000,
  /** Time for which the rest of a refused body is read and discarded, so that no reset loses the refusal. */
  lingerMs: 5_000,
  /** Time between two comments on an event stream. */
  pingMs: 15_000,
  /** Time between two checks that the key or session of an open stream or upload still works. */
  callerCheckMs: 10_000,
  /** Milliseconds from the first byte of a text that is made while it is sent to its last. */
  textMs: 10 * 60_000,
  /** Milliseconds after which a reader of an event stream or such a text that takes nothing is cut. */
  drainMs: 60_000,
};

export type ApiBounds = typeof defaultApiBounds;
