/** The person's passkeys: added, renamed and removed here. */

import type { Passkey } from "@tijolo/protocol/client";
import { lazy, Suspense, useState } from "react";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { ago, day } from "../../../formats/formats.ts";
import { Reading } from "../../../parts/reading.tsx";
import { passkeysTexts } from "../../../texts/account/passkeys.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { TitledCard } from "../../../ui/layout/card.tsx";
import { Table } from "../../../ui/layout/table.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { Skeleton } from "../../../ui/marks/skeleton.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import styles from "./security.module.css";

const AskPassword = lazy(async () => ({ default: (await import("./ask-password.tsx")).AskPassword }));
const NewPasskey = lazy(async () => ({ default: (await import("./new-passkey.tsx")).NewPasskey }));
const RenamePasskey = lazy(async () => ({ default: (await import("./rename-passkey.tsx")).RenamePasskey }));

export function PasskeysCard() {
  const texts = useTexts(passkeysTexts);
  const read = useRead("listPasskeys");
  const why = useReasonAgainst();
  const [isAdding, setAdding] = useState(false);
  return (
    <TitledCard
      title={texts.title}
      description={texts.intro}
      isFlush={read.data !== undefined && read.data.passkeys.length > 0}
      actions={
        <Button onClick={() => setAdding(true)} why={why}>
          {texts.add}
        </Button>
      }
    >
      <Reading of={read} skeleton={<Skeleton count={2} label={texts.title} />}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p className={styles.text}>{why ?? texts.none}</p>
          ) : (
            <Passkeys passkeys={passkeys} />
          )
        }
      </Reading>
      {isAdding && (
        <Suspense>
          <NewPasskey onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </TitledCard>
  );
}

/** Why no passkey can be added here; undefined when one can. */
function useReasonAgainst(): string | undefined {
  const texts = useTexts(passkeysTexts);
  const service = useRead("getService").data;
  if (service?.featuresOff.includes("beginPasskey") === true) return texts.notHere;
  const hasThem =
    typeof globalThis.PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function";
  if (!hasThem) return globalThis.isSecureContext ? texts.notInBrowser : texts.notHere;
  return undefined;
}

function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const texts = useTexts(passkeysTexts);
  const [open, setOpen] = useState<{ doing: "rename" | "remove"; passkey: Passkey } | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Table
        caption={texts.title}
        rows={passkeys}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "name",
            header: texts.name,
            isRowHeader: true,
            cell: ({ name, isSynced }) => (
              <span className={styles.names}>
                {name} {isSynced && <Badge>{texts.synced}</Badge>}
              </span>
            ),
          },
          { key: "created", header: texts.created, cell: ({ createdAt }) => day(createdAt) },
          {
            key: "last",
            header: texts.lastUse,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : ago(lastUsedAt)),
          },
          {
            key: "actions",
            header: texts.rename,
            isHeaderHidden: true,
            align: "end",
            cell: (passkey) => (
              <span className={styles.buttons}>
                <Button
                  size="small"
                  aria-label={texts.renameOne(passkey.name)}
                  onClick={() => setOpen({ doing: "rename", passkey })}
                >
                  {texts.rename}
                </Button>
                <Button
                  size="small"
                  aria-label={texts.removeOne(passkey.name)}
                  onClick={() => setOpen({ doing: "remove", passkey })}
                >
                  {texts.remove}
                </Button>
              </span>
            ),
          },
        ]}
      />
      <Suspense>
        {open?.doing === "rename" && <RenamePasskey passkey={open.passkey} onClose={close} />}
        {open?.doing === "remove" && <Removal passkey={open.passkey} onClose={close} />}
      </Suspense>
    </>
  );
}

function Removal({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const texts = useTexts(passkeysTexts);
  const remove = useAction("removePasskey", { refreshes: ["listPasskeys"] });
  const send = (password: string) =>
    void remove.run({ passkeyId: passkey.id, body: { password } }, () => {
      tell({ tone: "ok", text: texts.removed(passkey.name) });
      onClose();
    });
  return (
    <AskPassword
      title={texts.removeOne(passkey.name)}
      text={texts.removeText}
      confirmWord={texts.remove}
      isDangerous
      action={remove}
      onPassword={send}
      onClose={onClose}
    />
  );
}
