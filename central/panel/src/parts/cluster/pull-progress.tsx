/** What each machine says while it prepares images. */

import { bytes, integer } from "../../formats/formats.ts";
import { clusterImagesTexts } from "../../texts/cluster/images.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Spinner } from "../../ui/marks/spinner.tsx";
import { Failure } from "../failure.tsx";
import { versionName } from "./image-versions.ts";
import type { HostPullEvent, Pull } from "./use-pull.ts";

export function PullProgress({ pull }: { pull: Pull }) {
  const texts = useTexts(clusterImagesTexts);
  if (pull.state === "none")
    return pull.error === null ? null : <Failure error={pull.error} title={texts.pull} />;
  const rows = [...pull.events].map(([key, event]) => ({ key, event })).slice(-mostRows);
  const stop = pull.state === "running" ? <Button onClick={pull.stop}>{texts.stop}</Button> : undefined;
  return (
    <TitledCard title={texts.progress} actions={stop} isFlush={rows.length > 0}>
      <div role="status">
        {pull.state === "running" && rows.length === 0 && <Spinner label={texts.waiting} />}
        {pull.state === "ended" && (
          <Banner tone={pull.hosts === 0 ? "warn" : "info"}>
            {pull.hosts === 0 ? texts.noHosts : texts.done}
          </Banner>
        )}
        {pull.state === "cut-off" && <Banner tone="bad">{texts.cutOff}</Banner>}
      </div>
      {rows.length > 0 && (
        <Table
          caption={texts.progress}
          rows={rows}
          rowKey={({ key }) => key}
          columns={[
            {
              key: "image",
              header: texts.image,
              isRowHeader: true,
              cell: ({ event }) => imageOf(event),
            },
            { key: "host", header: texts.host, cell: ({ event }) => event.data.host.name },
            { key: "state", header: texts.progress, cell: ({ event }) => <Said event={event} /> },
          ]}
        />
      )}
    </TitledCard>
  );
}

/** Rows in the page: each image on each machine is one. */
const mostRows = 100;

function imageOf(event: HostPullEvent): string {
  if (!("image" in event.data)) return event.data.host.name;
  const { systemPackages, ...version } = event.data.image;
  return [versionName(version), ...systemPackages].join(" + ");
}

function Said({ event }: { event: HostPullEvent }) {
  const texts = useTexts(clusterImagesTexts);
  switch (event.event) {
    case "image-progress":
      return (
        <>
          <Badge tone="info">{texts.preparing}</Badge> {event.data.text}
        </>
      );
    case "image-failed":
      return <Badge tone="bad">{texts.failed(event.data.reason)}</Badge>;
    case "host-lost":
      return <Badge tone="bad">{texts.lost}</Badge>;
    case "image-pulled": {
      const { isNew, sizeBytes, runningOnOther } = event.data;
      const say = isNew ? texts.pulled : texts.unchanged;
      return (
        <>
          <Badge tone="ok">{say(bytes(sizeBytes))}</Badge>{" "}
          {runningOnOther > 0 && texts.runningOnOther(integer(runningOnOther))}
        </>
      );
    }
  }
}
