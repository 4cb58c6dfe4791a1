/** The layers of images that a machine has. */

import type { HostImages, HostLayer } from "@tijolo/protocol/client";
import { bytes, day, integer } from "../../formats/formats.ts";
import { clusterImagesTexts } from "../../texts/cluster/images.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Windowed } from "./windowed.tsx";

export function HostLayers({ images: { host, isReached, layers } }: { images: HostImages }) {
  const texts = useTexts(clusterImagesTexts);
  if (!isReached) return <Banner tone="warn">{texts.notReached(host.name)}</Banner>;
  const size = layers.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <TitledCard title={texts.on(host.name, bytes(size))} isFlush={layers.length > 0}>
      {layers.length === 0 ? (
        <Empty sentence={texts.noLayers} />
      ) : (
        <Windowed rows={layers}>{(rows) => <Layers host={host.name} layers={rows} />}</Windowed>
      )}
    </TitledCard>
  );
}

function Layers({ host, layers }: { host: string; layers: readonly HostLayer[] }) {
  const texts = useTexts(clusterImagesTexts);
  return (
    <Table
      caption={host}
      rows={layers}
      rowKey={({ digest }) => digest}
      columns={[
        {
          key: "title",
          header: texts.layer,
          isRowHeader: true,
          cell: ({ title, isPulled }) => (
            <>
              {title} {isPulled && <Badge>{texts.kept}</Badge>}
            </>
          ),
        },
        { key: "from", header: texts.from, cell: ({ origin }) => origin },
        { key: "size", header: texts.size, align: "end", cell: ({ sizeBytes }) => bytes(sizeBytes) },
        { key: "built", header: texts.built, cell: ({ builtAt }) => shownDay(builtAt) },
        { key: "projects", header: texts.projects, align: "end", cell: ({ projects }) => integer(projects) },
      ]}
    />
  );
}

/** A machine says it in words of its own: what is no date is shown as it came. */
function shownDay(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : day(text);
}
