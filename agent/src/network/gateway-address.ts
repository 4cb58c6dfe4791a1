/** The host's own end of every project's network. */

/**
 * Gateway of every namespace; its port 53 is the resolver of projects, and the agent's requests to sites come
 * from it.
 */
export const gateway = "169.254.1.1";
