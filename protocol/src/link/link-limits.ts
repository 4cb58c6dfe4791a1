/** Times and sizes that both ends of the link keep. */

/**
 * Deadlines of the link, in milliseconds. A ping without its pong ends the connection, which makes a host
 * `unknown`.
 */
export const linkTimes = { pingMs: 5_000, pongMs: 5_000, backOffMinMs: 500, backOffMaxMs: 20_000 } as const;

/** More than this much unsent data on a socket cuts the connection: a slow peer never grows memory. */
export const linkMaxBufferedBytes = 16 * 1024 * 1024;

/** Messages that an agent may put into one frame. */
export const linkMaxFrameMessages = 100;

/** Runs that a host tells the usage of at most. */
export const linkMaxRunning = 10_000;

/** A frame larger than this is refused. */
export const linkMaxFrameBytes = 8 * 1024 * 1024;
