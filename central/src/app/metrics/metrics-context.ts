/** Defines the context of rules about the usage of projects. */

import type { MetricDatabase } from "../../store/metrics/schema.ts";
import type { BaseContext } from "../base-context.ts";
import type { OpenSteps } from "./open-steps.ts";
import type { UsageBoard } from "./usage-board.ts";

export interface MetricsContext extends BaseContext {
  metrics: MetricDatabase;
  openSteps: OpenSteps;
  usage: UsageBoard;
}
