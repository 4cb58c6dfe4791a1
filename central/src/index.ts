export { Central, type CentralDependencies } from "./central.ts";
export { parseConfig, type CentralConfig } from "./config.ts";
