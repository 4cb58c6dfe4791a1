/**
 * Exports what every program that dials central has of the link: its key, one connection, and calls over it.
 */

export * from "./call.ts";
export * from "./carrier-socket.ts";
export * from "./central-authority.ts";
export * from "./connection.ts";
export * from "./identity.ts";
export * from "./join.ts";
export * from "./until-aborted.ts";
