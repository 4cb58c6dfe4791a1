/** Opens the file of metrics: a file of its own, because much is written to it and little is lost with it. */

import { migrate } from "../migrate.ts";
import { openSqlite, sqliteDialect, Statements } from "./open-sqlite.ts";
import { metricMigrations } from "../metrics/migrations.ts";
import { MetricDatabase } from "../metrics/schema.ts";

export interface OpenedMetrics extends AsyncDisposable {
  metrics: MetricDatabase;
}

const words = { generatedKey: "integer primary key autoincrement", inKeyOrder: "without rowid" };

export async function openMetrics(path: string): Promise<OpenedMetrics> {
  const metrics = new MetricDatabase({ dialect: sqliteDialect(new Statements(openSqlite(path))) });
  await migrate(metrics, metricMigrations(words));
  return {
    metrics,
    async [Symbol.asyncDispose]() {
      await metrics.destroy();
    },
  };
}
