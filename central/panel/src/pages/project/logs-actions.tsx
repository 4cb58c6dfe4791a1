/** What can be done with the lines: copy and download them, copy one, link to one. */

import type { CallInput } from "@tijolo/protocol/client";
import { addressOf } from "../../api/address.ts";
import { CopyIcon, DownloadIcon, LinkIcon, XIcon } from "../../design/icons/icons.tsx";
import { clockTime } from "../../formats/formats.ts";
import type { LogFilter } from "../../live/log/follow-log.ts";
import { markOf } from "../../live/log/line-mark.ts";
import type { LogEntry, LogLine } from "../../live/log/log-buffer.ts";
import type { LogSearch } from "../../live/log/log-search.ts";
import { plainText } from "../../parts/log-view/line-text.ts";
import { textsNow, useTexts } from "../../texts/in-both.ts";
import { logsTexts } from "../../texts/project/logs.ts";
import { Button } from "../../ui/actions/button.tsx";
import { IconButton } from "../../ui/actions/icon-button.tsx";
import { LinkButton } from "../../ui/actions/link-button.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import styles from "./logs-page.module.css";

interface LogActionsProps {
  projectId: string;
  search: LogSearch;
  filter: LogFilter;
  entries: readonly LogEntry[];
}

export function LogActions({ projectId, search: { section, stream }, filter, entries }: LogActionsProps) {
  const texts = useTexts(logsTexts);
  const query = { ...filter, section, stream } as NonNullable<CallInput<"downloadLogs">["query"]>;
  const copyAll = () =>
    void copy(
      entries
        .flatMap((entry) => (entry.kind === "line" ? [`${entry.line.at} ${plainText(entry.line.text)}`] : []))
        .join("\n"),
    );
  return (
    <>
      <Button icon={<CopyIcon />} onClick={copyAll}>
        {texts.copyAll}
      </Button>
      <LinkButton
        href={addressOf("downloadLogs", { id: projectId, query })}
        download=""
        icon={<DownloadIcon />}
      >
        {texts.download}
      </LinkButton>
    </>
  );
}

/** The chosen line, read out, and what can be done with it. */
export function ChosenLine({ line, onRelease }: { line: LogLine; onRelease: () => void }) {
  const texts = useTexts(logsTexts);
  return (
    <div className={styles.chosen}>
      <p role="status" className={styles.chosenText}>
        {texts.chosen(clockTime(line.at))} <code>{plainText(line.text).slice(0, 200)}</code>
      </p>
      <Button size="small" icon={<CopyIcon />} onClick={() => void copy(plainText(line.text))}>
        {texts.copyLine}
      </Button>
      <Button size="small" icon={<LinkIcon />} onClick={() => void copy(linkTo(line))}>
        {texts.copyLink}
      </Button>
      <IconButton icon={XIcon} label={texts.release} onClick={onRelease} />
    </div>
  );
}

function linkTo(line: LogLine): string {
  const address = new URL(location.href);
  address.search = new URLSearchParams({ line: markOf(line) }).toString();
  return address.href;
}

async function copy(text: string): Promise<void> {
  const texts = textsNow(logsTexts);
  try {
    await navigator.clipboard.writeText(text);
    tell({ tone: "ok", text: texts.copied });
  } catch {
    tell({ tone: "warn", text: texts.notCopied });
  }
}
