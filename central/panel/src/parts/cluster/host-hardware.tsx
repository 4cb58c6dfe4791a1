/** A machine's hardware, which the machine looks at only when somebody wants to see it. */

import type { HostHardware as Hardware } from "@tijolo/protocol/client";
import { useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { integer, megabytes } from "../../formats/formats.ts";
import { clusterHardwareTexts } from "../../texts/cluster/hardware.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { DescriptionList } from "../../ui/layout/description-list.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { Reading } from "../reading.tsx";

export function HostHardware({ host }: { host: string }) {
  const texts = useTexts(clusterHardwareTexts);
  const [isWanted, setWanted] = useState(false);
  return (
    <TitledCard title={texts.title} description={texts.intro}>
      {isWanted ? <Parts host={host} /> : <Button onClick={() => setWanted(true)}>{texts.show}</Button>}
    </TitledCard>
  );
}

function Parts({ host }: { host: string }) {
  const texts = useTexts(clusterHardwareTexts);
  const read = useRead("getHostHardware", { host });
  return (
    <Reading of={read} skeleton={<Skeleton count={4} height="1.5rem" label={texts.title} />}>
      {({ hardware }) => <List hardware={hardware} />}
    </Reading>
  );
}

function List({ hardware }: { hardware: Hardware }) {
  const { system, processor, memory, disks, network, graphics } = hardware;
  const texts = useTexts(clusterHardwareTexts);
  const mhz = (value: number | null) => value !== null && `${integer(value)} MHz`;
  const all = [
    [texts.system, joined(system.manufacturer, system.model, system.isVirtual && texts.virtual)],
    [
      texts.processor,
      joined(
        processor.manufacturer,
        processor.model,
        texts.cores(integer(processor.cores), integer(processor.threads)),
        mhz(processor.maxMhz),
      ),
    ],
    [
      texts.memory,
      lines(memory, (part) => [megabytes(part.sizeMb), part.type, mhz(part.mhz), part.manufacturer]),
    ],
    [texts.disks, lines(disks, (part) => [part.device, megabytes(part.sizeMb), part.type, part.model])],
    [
      texts.network,
      lines(network, (part) => [
        part.interface,
        part.type,
        part.mbps !== null && `${integer(part.mbps)} Mbit/s`,
        part.isUp ? texts.up : texts.down,
      ]),
    ],
    [
      texts.graphics,
      lines(graphics, (part) => [part.model, part.memoryMb !== null && megabytes(part.memoryMb)]),
    ],
  ] as const;
  const items = all.map(([term, value]) => ({ term, value: value === "" ? texts.none : value }));
  return <DescriptionList items={items} />;
}

function lines<Part>(parts: readonly Part[], words: (part: Part) => readonly (string | false)[]): string {
  return parts.map((part) => joined(...words(part))).join("; ");
}

/** Joins what the machine told; an empty text is what it does not know. */
function joined(...words: readonly (string | false)[]): string {
  return words.filter((word) => word !== false && word !== "").join(", ");
}
