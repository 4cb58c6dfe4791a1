/** What machines have that central does not know any more, and what to do about it. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { RefreshIcon } from "../../design/icons/icons.tsx";
import {
  AdoptOrphan,
  RemoveOrphan,
  type Adoption,
  type FoundOrphan,
} from "../../parts/cluster/orphan-dialogs.tsx";
import { OrphanTable, RestoredTable } from "../../parts/cluster/orphan-table.tsx";
import { Windowed } from "../../parts/cluster/windowed.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterOrphansTexts } from "../../texts/cluster/orphans.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Card, TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

type Orphans = OperationAnswer<"listOrphans">;
/** Recovered projects are shown up to this number: the newest stand first. */
const mostRestored = 20;

export function Page() {
  const texts = useTexts(clusterOrphansTexts);
  const words = useTexts(clusterTexts);
  const read = useRead("listOrphans");
  const refreshButton = (
    <Button icon={<RefreshIcon />} isBusy={read.isFetching} onClick={() => void read.refetch()}>
      {words.refresh}
    </Button>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={refreshButton}>
      <Reading of={read} skeleton={<Skeleton count={4} height="2.5rem" label={texts.title} />}>
        {(orphans) => <Found found={orphans} />}
      </Reading>
    </PageHead>
  );
}

function Found({ found: { hosts, restored } }: { found: Orphans }) {
  const texts = useTexts(clusterOrphansTexts);
  const [adopted, setAdopted] = useState<FoundOrphan | null>(null);
  const [removed, setRemoved] = useState<FoundOrphan | null>(null);
  const [adoption, setAdoption] = useState<Adoption | null>(null);
  const orphans = hosts.flatMap(({ host, orphans: own }) => own.map((orphan) => ({ ...orphan, host })));
  const lost = hosts.filter(({ isReached }) => !isReached).map(({ host }) => host.name);
  return (
    <>
      {lost.length > 0 && <Banner tone="warn">{texts.lost(lost.join(", "))}</Banner>}
      {adoption !== null && <Adopted adoption={adoption} />}
      {orphans.length === 0 ? (
        <Empty sentence={texts.none} />
      ) : (
        <Windowed rows={orphans}>
          {(rows) => (
            <Card isFlush>
              <OrphanTable orphans={rows} onAdopt={setAdopted} onRemove={setRemoved} />
            </Card>
          )}
        </Windowed>
      )}
      {restored.length > 0 && (
        <TitledCard title={texts.restored} isFlush>
          <RestoredTable restored={restored.slice(0, mostRestored)} />
        </TitledCard>
      )}
      {adopted !== null && (
        <AdoptOrphan orphan={adopted} onAdopted={setAdoption} onClose={() => setAdopted(null)} />
      )}
      {removed !== null && <RemoveOrphan orphan={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function Adopted({ adoption: { project, host, hasArchive, hasVariables } }: { adoption: Adoption }) {
  const texts = useTexts(clusterOrphansTexts);
  return (
    <Banner role="status" tone="ok" title={texts.adopted(project.name, host.name)}>
      {!hasArchive && <p>{texts.adoptedNoArchive}</p>}
      {!hasVariables && <p>{texts.adoptedNoVariables}</p>}
    </Banner>
  );
}
