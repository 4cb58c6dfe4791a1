/** The most frequent values of one kind, each with a bar of its share. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { integer, locale } from "../../formats/formats.ts";
import { analyticsTexts } from "../../texts/project/analytics.ts";
import { useTexts } from "../../texts/in-both.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import styles from "./top-card.module.css";

type Top = OperationAnswer<"getAnalytics">["analytics"]["top"];
export type Dimension = keyof Top;

/** Values that are shown; more are in the API and in `tijolo analytics --json`. */
const shown = 8;
/** Dimensions of which bots are a part, or all: they have no visitors. */
const withoutVisitors: ReadonlySet<Dimension> = new Set(["statuses", "methods", "bots"]);

export function TopCard({ dimension, values }: { dimension: Dimension; values: Top[Dimension] }) {
  const texts = useTexts(analyticsTexts);
  const most = Math.max(1, ...values.map(({ requests }) => requests));
  const hasVisitors = !withoutVisitors.has(dimension);
  if (values.length === 0) return null;
  return (
    <TitledCard title={texts.tops[dimension]} isFlush>
      <Table
        caption={texts.tops[dimension]}
        rows={values.slice(0, shown)}
        rowKey={({ value }) => value}
        columns={[
          {
            key: "value",
            header: texts.value,
            isRowHeader: true,
            cell: ({ value, requests }) => (
              <span className={styles.value}>
                <meter className={styles.bar} min={0} max={most} value={requests} aria-hidden="true" />
                <span className={styles.name}>{nameOf(dimension, value, texts)}</span>
              </span>
            ),
          },
          ...(hasVisitors
            ? [
                {
                  key: "visits",
                  header: texts.visits,
                  align: "end" as const,
                  isNarrow: true,
                  cell: ({ visits }: Top[Dimension][number]) => integer(visits),
                },
              ]
            : []),
          {
            key: "requests",
            header: texts.requests,
            align: "end",
            isNarrow: true,
            cell: ({ requests }) => integer(requests),
          },
        ]}
      />
    </TitledCard>
  );
}

type Texts = (typeof analyticsTexts)["pt"];

function nameOf(dimension: Dimension, value: string, texts: Texts): string {
  if (dimension === "countries") return countryName(value);
  const devices: Record<string, string> = texts.devices;
  if (dimension === "devices" && Object.hasOwn(devices, value)) return devices[value] ?? value;
  if (value === "other" || value === "OTHER") return texts.other;
  return value === "-" ? texts.unnamed : value;
}

function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
