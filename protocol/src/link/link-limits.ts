/** Defines times and sizes that both ends of the link keep. */

/**
 * Deadlines of the link, in milliseconds. A ping without its pong ends the connection, which makes a host
 * `unknown`.
 */
export const linkTimes = { pingMs: 5_000, pongMs: 5_000, backOffMinMs: 500, backOffMaxMs: 20_000 } as const;

/** Bytes of unsent data on a socket above which the connection is cut: a slow peer never grows memory. */
export const linkMaxBufferedBytes = 16 * 1024 * 1024;

/** Messages that an agent may put into one frame. */
export const linkMaxFrameMessages = 100;

/** Most runs whose usage a host reports. */
export const linkMaxRunning = 10_000;

/** Largest frame in bytes; a larger one is refused. */
export const linkMaxFrameBytes = 8 * 1024 * 1024;
