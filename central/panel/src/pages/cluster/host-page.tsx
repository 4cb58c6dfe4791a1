/** One machine: what it says of itself, what it holds, and the way out of the cluster. */

import type { HostView } from "@tijolo/protocol/client";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { RefreshIcon } from "../../design/icons/icons.tsx";
import { ago, day, integer, megabytes, percent } from "../../formats/formats.ts";
import { ChangeDialog } from "../../parts/cluster/dialogs.tsx";
import { HostHardware } from "../../parts/cluster/host-hardware.tsx";
import { HostProjects } from "../../parts/cluster/host-projects.tsx";
import { HostState } from "../../parts/cluster/host-state.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { fieldError } from "../../parts/entry/field-error.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterHostTexts } from "../../texts/cluster/host.ts";
import { clusterHostsTexts } from "../../texts/cluster/hosts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { DescriptionList } from "../../ui/layout/description-list.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";

type Texts = (typeof clusterHostTexts)["pt"];

export function Page() {
  const { host } = useParams({ from: "/app/cluster/hosts/$host" });
  const texts = useTexts(clusterHostTexts);
  const words = useTexts(clusterTexts);
  const read = useRead("getHost", { host });
  const refreshButton = (
    <Button icon={<RefreshIcon />} isBusy={read.isFetching} onClick={() => void read.refetch()}>
      {words.refresh}
    </Button>
  );
  return (
    <PageHead
      title={read.data?.host.name ?? texts.title}
      intro={<Link to="/cluster">{texts.back}</Link>}
      actions={refreshButton}
    >
      <Reading of={read} skeleton={<Skeleton count={3} height="10rem" label={texts.title} />}>
        {(view) => <Host view={view} />}
      </Reading>
    </PageHead>
  );
}

function Host({ view }: { view: HostView }) {
  const texts = useTexts(clusterHostTexts);
  return (
    <>
      {view.answer !== "complete" && (
        <Banner tone="warn">{view.answer === "away" ? texts.away : texts.olderAgent}</Banner>
      )}
      <About view={view} />
      <HostProjects projects={view.projects} />
      <HostHardware host={view.host.id} />
      <Leaving view={view} />
    </>
  );
}

function About({ view }: { view: HostView }) {
  const texts = useTexts(clusterHostTexts);
  const lists = useTexts(clusterHostsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  const [isChanging, setChanging] = useState(false);
  const { host, memory, usage, machine } = view;
  const { resources, countedMemoryMb } = host;
  const counted = countedMemoryMb ?? 0;
  const change = (
    <Button why={whyNot()} onClick={() => setChanging(true)}>
      {texts.change}
    </Button>
  );
  const items = [
    { term: lists.state, value: <HostState state={host.state} /> },
    { term: lists.heard, value: host.lastSeenAt === null ? texts.never : ago(host.lastSeenAt) },
    { term: lists.agent, value: host.agentVersion ?? texts.noData },
    {
      term: texts.memory,
      value:
        resources === null ? texts.noData : texts.memoryOf(megabytes(counted), megabytes(resources.memoryMb)),
    },
    { term: texts.free, value: memory === null ? texts.noData : megabytes(memory.freeMb) },
    { term: texts.kept, value: memory === null ? texts.noData : megabytes(memory.keptBackMb) },
    { term: texts.cpu, value: usage === null ? texts.noData : percent(usage.cpuPercent) },
    { term: texts.cores, value: resources === null ? texts.noData : integer(resources.cpuCount) },
    {
      term: texts.disk,
      value:
        resources === null
          ? texts.noData
          : words.of(megabytes(usage?.diskFreeMb ?? resources.diskFreeMb), megabytes(resources.diskMb)),
    },
    { term: texts.promised, value: megabytes(view.promisedDiskMb) },
    { term: texts.isolation, value: machine === null ? texts.noData : texts.isolations[machine.runtime] },
    { term: texts.disks, value: machine === null ? texts.noData : texts.diskKinds[machine.disks] },
    {
      term: texts.limits,
      value: machine === null ? texts.noData : (machine.cgroups ?? texts.noLimits),
    },
    { term: texts.mesh, value: meshOf(view, texts) },
    {
      term: texts.system,
      value: resources === null ? texts.noData : `${resources.operatingSystem} (${resources.architecture})`,
    },
    { term: texts.since, value: day(host.createdAt) },
  ];
  return (
    <TitledCard title={texts.about} actions={change}>
      <Meter
        label={lists.reserved}
        value={host.reservedMemoryMb}
        max={countedMemoryMb}
        text={words.of(megabytes(host.reservedMemoryMb), megabytes(counted))}
      />
      {usage !== null && resources !== null && (
        <Meter
          label={lists.real}
          value={usage.memoryUsedMb}
          max={resources.memoryMb}
          text={words.of(megabytes(usage.memoryUsedMb), megabytes(resources.memoryMb))}
        />
      )}
      <DescriptionList items={items} />
      {isChanging && <MemoryChange view={view} onClose={() => setChanging(false)} />}
    </TitledCard>
  );
}

function meshOf({ host: { mesh } }: HostView, texts: Texts): string {
  if (mesh === null) return texts.noData;
  const { state, range, clashesWith } = mesh;
  const { meshStates } = texts;
  return `${range}, ${state === "clash" ? meshStates.clash(clashesWith ?? "") : meshStates[state]}`;
}

function MemoryChange({ view: { host }, onClose }: { view: HostView; onClose: () => void }) {
  const texts = useTexts(clusterHostTexts);
  const update = useAction("updateHost", { refreshes: ["getHost", "listHosts"] });
  const [memoryMb, setMemoryMb] = useState<number | null>(host.countedMemoryMb);
  const save = () =>
    void update.run({ host: host.id, body: { memoryMb: memoryMb ?? 0 } }, () => {
      tell({ tone: "ok", text: texts.saved(megabytes(memoryMb ?? 0)) });
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.change}
      description={texts.changeText}
      confirmWord={texts.save}
      action={update}
      fields={["memoryMb"]}
      onConfirm={save}
      onClose={onClose}
    >
      <Field label={texts.memory} {...fieldError(update.error, "memoryMb")}>
        <NumberInput value={memoryMb} onValue={setMemoryMb} unit="MB" min={1} step={1024} />
      </Field>
    </ChangeDialog>
  );
}

function Leaving({ view: { host, projects } }: { view: HostView }) {
  const texts = useTexts(clusterHostTexts);
  const whyNot = useWhyNot();
  const navigate = useNavigate();
  const revoke = useAction("revokeHost", { refreshes: ["listHosts"] });
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    void revoke.run({ host: host.id }, () => {
      tell({ tone: "ok", text: texts.revoked(host.name) });
      void navigate({ to: "/cluster" });
    });
  return (
    <TitledCard title={texts.danger} description={texts.dangerText} isDangerous>
      <Button variant="warning" why={whyNot()} onClick={() => setAsking(true)}>
        {texts.revoke}
      </Button>
      {isAsking && (
        <ChangeDialog
          isDangerous
          title={texts.revokeTitle(host.name)}
          description={texts.revokeText(integer(projects.length))}
          confirmWord={texts.revoke}
          typed={host.name}
          action={revoke}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>{texts.runsOn}</p>
        </ChangeDialog>
      )}
    </TitledCard>
  );
}
