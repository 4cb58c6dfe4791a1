/** The pages of its own that a site shows where nothing of it answers: each from a file, shown here as text. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, useRef, useState, type ChangeEvent } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { ago, bytes } from "../../formats/formats.ts";
import { sitePagesTexts } from "../../texts/project/site-pages.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { TwoLines } from "../../ui/layout/two-lines.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { Failure } from "../failure.tsx";
import { Lazily } from "../lazily.tsx";
import { Reading } from "../reading.tsx";
import styles from "./site-pages.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));
const Dialog = lazy(async () => ({ default: (await import("../../ui/overlays/dialog.tsx")).Dialog }));

type SitePage = OperationAnswer<"listSitePages">["pages"][number];
type Status = SitePage["status"];

const statuses: readonly Status[] = ["maintenance", "503", "502", "504", "404"];
const refreshes = ["listSitePages", "getSitePage"] as const;

export function SitePages({ projectId }: { projectId: string }) {
  const texts = useTexts(sitePagesTexts);
  const read = useRead("listSitePages", { id: projectId });
  return (
    <TitledCard title={texts.title} description={texts.hint} isSplit>
      <Reading of={read} skeleton={<Skeleton count={5} height="3rem" label={texts.title} />}>
        {({ pages }) => (
          <ul className={styles.pages}>
            {statuses.map((status) => (
              <OnePage
                key={status}
                {...{ projectId, status }}
                page={pages.find((page) => page.status === status)}
              />
            ))}
          </ul>
        )}
      </Reading>
    </TitledCard>
  );
}

interface OnePageProps {
  projectId: string;
  status: Status;
  /** Undefined where visitors see the service's. */
  page: SitePage | undefined;
}

function OnePage({ projectId, status, page }: OnePageProps) {
  const texts = useTexts(sitePagesTexts);
  const input = useRef<HTMLInputElement>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [open, setOpen] = useState<"text" | "removal" | null>(null);
  const save = useAction("setSitePage", { refreshes: [...refreshes] });
  const close = () => setOpen(null);
  const name = texts.names[status];
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const { currentTarget } = event;
    const [file] = currentTarget.files ?? [];
    if (file === undefined) return;
    const html = await textOf(file);
    currentTarget.value = ""; // so that the same file can be chosen again
    setUnreadable(html === null);
    save.clear();
    if (html === null) return;
    await save.run({ id: projectId, status, body: { html } }, () =>
      tell({ tone: "ok", text: texts.saved(name) }),
    );
  };
  return (
    <li className={styles.page}>
      <div className={styles.row}>
        <div className={styles.name}>
          <TwoLines below={texts.when[status]}>{name}</TwoLines>
          {page !== undefined && (
            <p className={styles.own}>{texts.own(bytes(page.sizeBytes), ago(page.updatedAt))}</p>
          )}
        </div>
        <div className={styles.actions}>
          {page !== undefined && (
            <>
              <Button size="small" aria-label={texts.showOf(name)} onClick={() => setOpen("text")}>
                {texts.show}
              </Button>
              <Button size="small" aria-label={texts.removeOf(name)} onClick={() => setOpen("removal")}>
                {texts.remove}
              </Button>
            </>
          )}
          <Button
            size="small"
            isBusy={save.isRunning}
            aria-label={page === undefined ? texts.chooseOf(name) : texts.changeOf(name)}
            onClick={() => input.current?.click()}
          >
            {page === undefined ? texts.choose : texts.change}
          </Button>
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept=".html,.htm,text/html"
        hidden
        aria-label={texts.fileOf(name)}
        onChange={(event) => void take(event)}
      />
      {isUnreadable && (
        <Banner tone="warn" role="alert">
          {texts.notUtf8}
        </Banner>
      )}
      {save.error !== null && <Failure error={save.error} title={texts.notSaved(name)} />}
      {open !== null && (
        <Lazily onMissing={close}>
          {open === "text" ? (
            <PageText {...{ projectId, status }} onClose={close} />
          ) : (
            <Removal {...{ projectId, status }} onClose={close} />
          )}
        </Lazily>
      )}
    </li>
  );
}

interface PageDialogProps {
  projectId: string;
  status: Status;
  onClose: () => void;
}

/** Shows a page as text: it is no page of the panel, and runs nowhere but at its site. */
function PageText({ projectId, status, onClose }: PageDialogProps) {
  const texts = useTexts(sitePagesTexts);
  const read = useRead("getSitePage", { id: projectId, status });
  return (
    <Dialog isOpen isWide title={texts.names[status]} closeWord={texts.close} onClose={onClose}>
      <Reading of={read} skeleton={<Skeleton height="10rem" />}>
        {({ page }) => (
          <pre className={styles.text} tabIndex={0} aria-label={texts.textOf(texts.names[status])}>
            {page.html}
          </pre>
        )}
      </Reading>
    </Dialog>
  );
}

function Removal({ projectId, status, onClose }: PageDialogProps) {
  const texts = useTexts(sitePagesTexts);
  const remove = useAction("removeSitePage", { refreshes: [...refreshes] });
  const name = texts.names[status];
  const confirm = () =>
    void remove.run({ id: projectId, status }, () => {
      tell({ tone: "ok", text: texts.removed(name) });
      onClose();
    });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={texts.removeTitle(name)}
      description={texts.removeText}
      confirmWord={texts.remove}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={remove.isRunning}
      onConfirm={confirm}
      onClose={onClose}
    >
      {remove.error !== null && <Failure error={remove.error} />}
    </ConfirmDialog>
  );
}

/** Returns the file's text; null where it is none in UTF-8. */
async function textOf(file: File): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
