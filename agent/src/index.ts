export { Agent, type AgentDependencies } from "./agent.ts";
export { parseConfig, type AgentConfig } from "./config.ts";
export { SimulatedMachine } from "./runtime/simulated.ts";
