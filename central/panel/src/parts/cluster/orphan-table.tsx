/** The orphans that machines have, with what to know before deciding about one. */

import type { RestoredProject } from "@tijolo/protocol/client";
import { Link } from "@tanstack/react-router";
import { dateTime, integer, megabytes } from "../../formats/formats.ts";
import { clusterOrphansTexts } from "../../texts/cluster/orphans.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { StatusBrick } from "../../ui/marks/status-brick.tsx";
import { nameOf, type FoundOrphan } from "./orphan-dialogs.tsx";
import styles from "./orphan-table.module.css";
import { useWhyNot } from "./role.ts";

interface OrphanTableProps {
  orphans: readonly FoundOrphan[];
  onAdopt: (orphan: FoundOrphan) => void;
  onRemove: (orphan: FoundOrphan) => void;
}

export function OrphanTable({ orphans, onAdopt, onRemove }: OrphanTableProps) {
  const texts = useTexts(clusterOrphansTexts);
  const whyNot = useWhyNot()();
  return (
    <Table
      caption={texts.title}
      rows={orphans}
      rowKey={({ id, host }) => `${host.id} ${id}`}
      columns={[
        {
          key: "name",
          header: texts.project,
          isRowHeader: true,
          cell: (orphan) => (orphan.name === null ? <code>{orphan.id}</code> : orphan.name),
        },
        {
          key: "account",
          header: texts.account,
          cell: ({ account }) => account?.name ?? texts.noAccount,
        },
        { key: "host", header: texts.host, cell: ({ host }) => host.name },
        {
          key: "version",
          header: texts.version,
          align: "end",
          cell: ({ versionNumber }) => (versionNumber === null ? "" : integer(versionNumber)),
        },
        {
          key: "state",
          header: texts.state,
          cell: ({ isRunning }) => (
            <StatusBrick
              shape={isRunning ? "whole" : "outline"}
              label={isRunning ? texts.running : texts.stopped}
            />
          ),
        },
        {
          key: "disk",
          header: texts.disk,
          align: "end",
          cell: ({ diskUsedMb }) => (diskUsedMb === null ? "" : megabytes(diskUsedMb)),
        },
        {
          key: "since",
          header: texts.since,
          cell: ({ unwantedSince }) => (unwantedSince === null ? "" : dateTime(unwantedSince)),
        },
        { key: "notes", header: texts.notes, cell: (orphan) => <Notes orphan={orphan} /> },
        {
          key: "actions",
          header: texts.adopt,
          isHeaderHidden: true,
          align: "end",
          cell: (orphan) => (
            <div className={styles.buttons}>
              <Button
                size="small"
                why={whyNot ?? (isAdoptable(orphan) ? undefined : texts.filesOnly)}
                aria-label={`${texts.adopt}: ${nameOf(orphan)}`}
                onClick={() => onAdopt(orphan)}
              >
                {texts.adopt}
              </Button>
              <Button
                size="small"
                variant="warning"
                why={whyNot}
                aria-label={`${texts.remove}: ${nameOf(orphan)}`}
                onClick={() => onRemove(orphan)}
              >
                {texts.remove}
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}

/** False for files that no project is known of. */
function isAdoptable({ versionNumber }: FoundOrphan): boolean {
  return versionNumber !== null;
}

function Notes({ orphan }: { orphan: FoundOrphan }) {
  const texts = useTexts(clusterOrphansTexts);
  const notes = isAdoptable(orphan)
    ? [
        orphan.heldBack !== null && texts.heldBack[orphan.heldBack],
        orphan.placedOn !== null && texts.placedOn(orphan.placedOn.name),
        !orphan.hasArchive && texts.noArchive,
        !orphan.isProven && texts.unproven,
      ]
    : [texts.filesOnly];
  return notes.filter((note) => note !== false).join(" ");
}

export function RestoredTable({ restored }: { restored: readonly RestoredProject[] }) {
  const texts = useTexts(clusterOrphansTexts);
  return (
    <Table
      caption={texts.restored}
      rows={restored}
      rowKey={({ project, at }) => `${project.id} ${at}`}
      columns={[
        { key: "name", header: texts.project, isRowHeader: true, cell: ({ project }) => project.name },
        {
          key: "account",
          header: texts.account,
          cell: ({ account }) => (
            <Link to="/cluster/accounts/$accountId" params={{ accountId: account.id }}>
              {account.id}
            </Link>
          ),
        },
        { key: "how", header: texts.how, cell: ({ note }) => texts.restoredAs[note] },
        { key: "when", header: texts.when, cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time> },
      ]}
    />
  );
}
