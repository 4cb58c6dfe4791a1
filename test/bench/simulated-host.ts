/**
 * An agent over a simulated machine, in a process of its own, so that a bench of central pays for central
 * only.
 */

import { randomBytes } from "node:crypto";
import { Agent, parseConfig, SimulatedMachine } from "@tijolo/agent";
import { pino } from "pino";

const machine = new SimulatedMachine();
const clock = { now: () => Date.now() };
await Agent.create(parseConfig(process.env), {
  clock,
  random: (bytes) => randomBytes(bytes),
  logger: pino({ level: "silent" }),
  simulated: machine,
});
