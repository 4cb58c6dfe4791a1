export { Agent, type AgentDependencies } from "./agent.ts";
export { parseConfig, type AgentConfig } from "./config.ts";
