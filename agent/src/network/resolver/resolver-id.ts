/**
 * User and group of resolvers, on every machine the same. Neither Debian (below 65,536, and from 100,000 on)
 * nor systemd (below 65,536, and from 524,288 on) assigns it, and users of projects begin above it
 * (`config.ts`), except on a host that had lower ones from an earlier agent.
 */
export const resolverId = 70_053;
