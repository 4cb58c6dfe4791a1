/** The DNS records of a domain, those wanted beside those found, by each way to set it up. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { domainsTexts } from "../../texts/project/domains.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import styles from "./domains-page.module.css";

type Domain = OperationAnswer<"listDomains">["domains"][number];

export function DomainRecords({ domain: { hostname, records } }: { domain: Domain }) {
  const texts = useTexts(domainsTexts);
  const byCname = records.filter(({ way }) => way === "cname");
  const byAddresses = records.filter(({ way }) => way === "addresses");
  const isEither = byCname.length > 0;
  return (
    <>
      {isEither && <Records title={texts.byCname} hostname={hostname} records={byCname} />}
      <Records
        title={isEither ? texts.byAddresses : texts.onlyAddresses}
        hostname={hostname}
        records={byAddresses}
      />
    </>
  );
}

function Records(props: { title: string; hostname: string; records: Domain["records"] }) {
  const { title, hostname, records } = props;
  const texts = useTexts(domainsTexts);
  return (
    <div>
      <h3 className={styles.way}>{title}</h3>
      <Table
        caption={texts.recordsOf(hostname, title)}
        rows={records}
        rowKey={({ type, name, value }) => `${type} ${name} ${value}`}
        columns={[
          { key: "type", header: texts.type, isNarrow: true, cell: ({ type }) => type },
          {
            key: "name",
            header: texts.name,
            isRowHeader: true,
            cell: ({ name }) => <code className={styles.value}>{name}</code>,
          },
          {
            key: "wanted",
            header: texts.wanted,
            cell: ({ value }) => <code className={styles.value}>{value}</code>,
          },
          {
            key: "found",
            header: texts.found,
            cell: ({ found }) =>
              found.length === 0 ? (
                texts.nothingFound
              ) : (
                <code className={styles.value}>{found.join(", ")}</code>
              ),
          },
          {
            key: "state",
            header: texts.state,
            isNarrow: true,
            cell: ({ isRight }) => (
              <Badge tone={isRight ? "ok" : "neutral"}>{isRight ? texts.isRight : texts.isMissing}</Badge>
            ),
          },
        ]}
      />
    </div>
  );
}
