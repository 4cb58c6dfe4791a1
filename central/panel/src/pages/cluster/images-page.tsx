/** What languages run on: prepared ahead, cleaned up, or replaced by an image of the operator's own. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { DownloadIcon } from "../../design/icons/icons.tsx";
import { bytes, integer } from "../../formats/formats.ts";
import { ChangeDialog } from "../../parts/cluster/dialogs.tsx";
import { HostLayers } from "../../parts/cluster/host-layers.tsx";
import { ImageRecipes } from "../../parts/cluster/image-recipes.tsx";
import { PullDialog } from "../../parts/cluster/pull-dialog.tsx";
import { PullProgress } from "../../parts/cluster/pull-progress.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { usePull } from "../../parts/cluster/use-pull.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterImagesTexts } from "../../texts/cluster/images.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

type Pruned = OperationAnswer<"pruneImages">["hosts"];

export function Page() {
  const texts = useTexts(clusterImagesTexts);
  const whyNot = useWhyNot()();
  const read = useRead("listImages");
  const pull = usePull();
  const [open, setOpen] = useState<"pull" | "prune" | null>(null);
  const [pruned, setPruned] = useState<Pruned | null>(null);
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button why={whyNot} onClick={() => setOpen("prune")}>
        {texts.prune}
      </Button>
      <Button variant="primary" icon={<DownloadIcon />} why={whyNot} onClick={() => setOpen("pull")}>
        {texts.pull}
      </Button>
    </>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={actions}>
      <PullProgress pull={pull} />
      {pruned !== null && <Removed pruned={pruned} />}
      <Reading of={read} skeleton={<Skeleton count={3} height="10rem" label={texts.title} />}>
        {(images) => (
          <>
            {images.hosts.length === 0 ? (
              <Empty sentence={texts.none} />
            ) : (
              images.hosts.map((host) => <HostLayers key={host.host.id} images={host} />)
            )}
            <ImageRecipes images={images} />
          </>
        )}
      </Reading>
      {open === "pull" && (
        <PullDialog
          hosts={read.data?.hosts.map(({ host }) => host) ?? []}
          onPull={pull.start}
          onClose={close}
        />
      )}
      {open === "prune" && <Pruning onPruned={setPruned} onClose={close} />}
    </PageHead>
  );
}

function Pruning({ onPruned, onClose }: { onPruned: (pruned: Pruned) => void; onClose: () => void }) {
  const texts = useTexts(clusterImagesTexts);
  const prune = useAction("pruneImages", { refreshes: ["listImages"] });
  const confirm = () =>
    void prune.run({ body: {} }, ({ hosts }) => {
      onPruned(hosts);
      onClose();
    });
  return (
    <ChangeDialog
      isDangerous
      title={texts.pruneTitle}
      description={texts.pruneText}
      confirmWord={texts.prune}
      action={prune}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function Removed({ pruned }: { pruned: Pruned }) {
  const texts = useTexts(clusterImagesTexts);
  const say = ({ host, isReached, isShared, removed }: Pruned[number]) => {
    if (!isReached) return texts.notReached(host.name);
    if (isShared) return texts.shared(host.name);
    if (removed.length === 0) return texts.nothingRemoved(host.name);
    const size = removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return texts.removed(host.name, integer(removed.length), bytes(size));
  };
  return (
    <Banner role="status" tone="info" title={texts.pruned}>
      <ul>
        {pruned.map((host) => (
          <li key={host.host.id}>{say(host)}</li>
        ))}
      </ul>
    </Banner>
  );
}
