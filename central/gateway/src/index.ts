/** Exports what tests start in their own process. */

export { parseConfig, type GatewayConfig } from "./config.ts";
export { GatewayProgram } from "./gateway-program.ts";
export { findHaproxy } from "./haproxy/find-haproxy.ts";
