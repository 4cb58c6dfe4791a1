/** The machines of the cluster: which are there, and what they hold. */

import type { HostSummary } from "@tijolo/protocol/client";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { PlusIcon, RefreshIcon } from "../../design/icons/icons.tsx";
import { ago, integer, megabytes } from "../../formats/formats.ts";
import { HostState } from "../../parts/cluster/host-state.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterHostsTexts } from "../../texts/cluster/hosts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

const AddHost = lazy(async () => ({ default: (await import("../../parts/cluster/add-host.tsx")).AddHost }));
/** Machines that are each asked for what they use; in longer lists it stands on the page of each. */
const mostAsked = 20;

export function Page() {
  const texts = useTexts(clusterHostsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  const read = useRead("listHosts");
  const [isAdding, setAdding] = useState(false);
  const actions = (
    <>
      <Button icon={<RefreshIcon />} isBusy={read.isFetching} onClick={() => void read.refetch()}>
        {words.refresh}
      </Button>
      <Button variant="primary" icon={<PlusIcon />} why={whyNot()} onClick={() => setAdding(true)}>
        {texts.add}
      </Button>
    </>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={actions}>
      <Reading of={read} skeleton={<Skeleton count={3} height="3rem" label={texts.title} />}>
        {({ hosts }) =>
          hosts.length === 0 ? (
            <Empty sentence={texts.none}>{texts.noneHint}</Empty>
          ) : (
            <Card isFlush>
              <Hosts hosts={hosts} />
            </Card>
          )
        }
      </Reading>
      {isAdding && (
        <Suspense>
          <AddHost onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </PageHead>
  );
}

function Hosts({ hosts }: { hosts: readonly HostSummary[] }) {
  const texts = useTexts(clusterHostsTexts);
  return (
    <Table
      caption={texts.title}
      rows={hosts}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "name",
          header: texts.name,
          isRowHeader: true,
          cell: ({ name, id }) => (
            <Link to="/cluster/hosts/$host" params={{ host: id }}>
              {name}
            </Link>
          ),
        },
        { key: "state", header: texts.state, cell: ({ state }) => <HostState state={state} /> },
        {
          key: "heard",
          header: texts.heard,
          cell: ({ lastSeenAt }) => (lastSeenAt === null ? texts.never : ago(lastSeenAt)),
        },
        {
          key: "reserved",
          header: texts.reserved,
          cell: (host) => <ReservedMemory host={host} />,
        },
        {
          key: "real",
          header: texts.real,
          cell: (host) => <RealMemory host={host} isAsked={hosts.length <= mostAsked} />,
        },
        {
          key: "projects",
          header: texts.projects,
          align: "end",
          cell: ({ projects }) => integer(projects),
        },
        {
          key: "agent",
          header: texts.agent,
          cell: ({ agentVersion }) => agentVersion ?? texts.unknown,
        },
      ]}
    />
  );
}

function ReservedMemory({ host: { reservedMemoryMb, countedMemoryMb } }: { host: HostSummary }) {
  const texts = useTexts(clusterHostsTexts);
  const words = useTexts(clusterTexts);
  const text =
    countedMemoryMb === null
      ? megabytes(reservedMemoryMb)
      : words.of(megabytes(reservedMemoryMb), megabytes(countedMemoryMb));
  return (
    <>
      <span aria-hidden={countedMemoryMb !== null}>{text}</span>
      <Meter isBare label={texts.reserved} value={reservedMemoryMb} max={countedMemoryMb} text={text} />
    </>
  );
}

/** What the machine itself says it uses; a silent one says nothing. */
function RealMemory({ host, isAsked }: { host: HostSummary; isAsked: boolean }) {
  const texts = useTexts(clusterHostsTexts);
  const words = useTexts(clusterTexts);
  const read = useRead("getHost", { host: host.id }, { isEnabled: isAsked && host.state === "connected" });
  const used = read.data?.usage?.memoryUsedMb;
  if (used === undefined || host.resources === null) return texts.unknown;
  return words.of(megabytes(used), megabytes(host.resources.memoryMb));
}
