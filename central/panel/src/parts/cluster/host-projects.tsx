/** The projects on a machine, with what each uses of its limits. */

import type { HostProject } from "@tijolo/protocol/client";
import { Link } from "@tanstack/react-router";
import { integer, megabytes, percent } from "../../formats/formats.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterHostTexts } from "../../texts/cluster/host.ts";
import { clusterHostsTexts } from "../../texts/cluster/hosts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Windowed } from "./windowed.tsx";

export function HostProjects({ projects }: { projects: readonly HostProject[] }) {
  const texts = useTexts(clusterHostTexts);
  const lists = useTexts(clusterHostsTexts);
  if (projects.length === 0) return <Empty sentence={texts.noProjects} />;
  return (
    <Windowed rows={projects}>
      {(rows) => (
        <TitledCard title={lists.projects} isFlush>
          <Rows projects={rows} />
        </TitledCard>
      )}
    </Windowed>
  );
}

function Rows({ projects }: { projects: readonly HostProject[] }) {
  const texts = useTexts(clusterHostTexts);
  const words = useTexts(clusterTexts);
  const { statuses } = useTexts(projectTexts);
  return (
    <Table
      caption={texts.project}
      rows={projects}
      rowKey={({ id }) => id}
      columns={[
        { key: "name", header: texts.project, isRowHeader: true, cell: ({ name }) => name },
        {
          key: "account",
          header: texts.account,
          cell: ({ account }) => (
            <>
              <Link to="/cluster/accounts/$accountId" params={{ accountId: account.id }}>
                {account.name}
              </Link>{" "}
              ({account.plan})
            </>
          ),
        },
        { key: "status", header: texts.status, cell: ({ status }) => statuses[status] },
        {
          key: "memory",
          header: texts.memoryUse,
          align: "end",
          cell: ({ usage, reservedMemoryMb }) =>
            usage === null
              ? texts.onlyReserved(megabytes(reservedMemoryMb))
              : texts.reserved(megabytes(usage.memoryMb), megabytes(reservedMemoryMb)),
        },
        {
          key: "cpu",
          header: texts.cpuUse,
          align: "end",
          cell: ({ usage }) => (usage === null ? "" : percent(usage.cpuPercent)),
        },
        {
          key: "pids",
          header: texts.pids,
          align: "end",
          cell: ({ usage, limits }) =>
            usage?.pids == null
              ? ""
              : limits?.pids == null
                ? integer(usage.pids)
                : words.of(integer(usage.pids), integer(limits.pids)),
        },
        {
          key: "disk",
          header: texts.diskUse,
          align: "end",
          cell: ({ disk, planDiskMb }) =>
            disk === null
              ? ""
              : `${words.of(megabytes(disk.usedMb), megabytes(disk.limitMb ?? planDiskMb))}${disk.isReadOnly ? ` (${texts.readOnly})` : ""}`,
        },
      ]}
    />
  );
}
