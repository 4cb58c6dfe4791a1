/** The account's API keys: made here, shown once, revoked here. */

import type { ApiKey } from "@tijolo/protocol/client";
import { lazy, Suspense, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { PlusIcon } from "../../design/icons/icons.tsx";
import { ago, dateTime } from "../../formats/formats.ts";
import { Failure } from "../../parts/failure.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { keysTexts } from "../../texts/account/keys.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";

const NewKey = lazy(async () => ({ default: (await import("../../parts/new-key.tsx")).NewKey }));
const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

export function Page() {
  const texts = useTexts(keysTexts);
  const read = useRead("listKeys");
  const [isMaking, setMaking] = useState(false);
  const create = (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setMaking(true)}>
      {texts.create}
    </Button>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={create}>
      <Reading of={read} skeleton={<Skeleton count={3} label={texts.title} />}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty sentence={texts.none}>{texts.noneHint}</Empty>
          ) : (
            <Card isFlush>
              <Keys keys={keys} />
            </Card>
          )
        }
      </Reading>
      {isMaking && (
        <Suspense>
          <NewKey onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </PageHead>
  );
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  const texts = useTexts(keysTexts);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <>
      <Table
        caption={texts.title}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          { key: "name", header: texts.name, isRowHeader: true, cell: ({ name }) => name },
          { key: "prefix", header: texts.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
          { key: "level", header: texts.level, cell: ({ level }) => texts.levels[level] },
          {
            key: "lastUse",
            header: texts.lastUse,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : ago(lastUsedAt)),
          },
          { key: "created", header: texts.created, cell: ({ createdAt }) => dateTime(createdAt) },
          {
            key: "revoke",
            header: texts.revoke,
            isHeaderHidden: true,
            align: "end",
            cell: (key) => (
              <Button size="small" onClick={() => setRevoked(key)} aria-label={texts.revokeTitle(key.name)}>
                {texts.revoke}
              </Button>
            ),
          },
        ]}
      />
      {revoked !== null && (
        <Suspense>
          <Revocation apiKey={revoked} onClose={() => setRevoked(null)} />
        </Suspense>
      )}
    </>
  );
}

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const texts = useTexts(keysTexts);
  const revoke = useAction("revokeKey", { refreshes: ["listKeys"] });
  const confirm = () =>
    void revoke.run({ keyId: apiKey.id }, () => {
      tell({ tone: "ok", text: texts.revoked(apiKey.name) });
      onClose();
    });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={texts.revokeTitle(apiKey.name)}
      description={texts.revokeText}
      confirmWord={texts.revoke}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={revoke.isRunning}
      onConfirm={confirm}
      onClose={onClose}
    >
      {revoke.error !== null && <Failure error={revoke.error} />}
    </ConfirmDialog>
  );
}
