/** Shows what will be sent: how large it is against the plan's limit, what stays out and why. */

import { bytes, integer, percent } from "../../formats/formats.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Button } from "../../ui/actions/button.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import styles from "./package-card.module.css";
import { PackFailure } from "./pack-failure.tsx";
import type { Package } from "./use-package.ts";
import type { Inspection, LeftOut } from "./worker/messages.ts";

/** Lines about what is left out, before "and n more". */
const mostLines = 6;

interface PackageCardProps {
  inspection: Inspection;
  pack: Package;
  /** Bytes that the plan allows; null when it is not known. */
  mostBytes: number | null;
  /** Left out while it is being sent. */
  onOther?: (() => void) | undefined;
}

export function PackageCard({ inspection, pack, mostBytes, onOther }: PackageCardProps) {
  const texts = useTexts(uploadTexts);
  const { kind, name } = inspection;
  const { fileCount, totalBytes } = pack.kind === "packed" ? pack.packed : inspection;
  const count = texts.files(fileCount, integer(fileCount));
  const size = kind === "folder" ? texts.unpackedSize(bytes(totalBytes)) : texts.zipSize(bytes(totalBytes));
  return (
    <TitledCard
      title={texts.packageTitle}
      description={`${name === "" ? "" : `${name}: `}${count}, ${size}`}
      actions={
        onOther === undefined ? undefined : (
          <Button size="small" onClick={onOther}>
            {texts.chooseOther}
          </Button>
        )
      }
    >
      <div className={styles.body}>
        <Size pack={pack} mostBytes={mostBytes} />
        {pack.kind === "unusable" && <PackFailure problem={pack.problem} of={inspection} />}
        {pack.kind === "packed" && pack.packed.missing !== null && (
          <Banner tone="warn">{texts.missing(pack.packed.missing.name)}</Banner>
        )}
        <LeftOutList leftOut={inspection.leftOut} />
        <Restored pack={pack} />
      </div>
    </TitledCard>
  );
}

function Size({ pack, mostBytes }: { pack: Package; mostBytes: number | null }) {
  const texts = useTexts(uploadTexts);
  if (pack.kind === "unusable") return null;
  if (pack.kind === "packing") {
    const { doneBytes, totalBytes } = pack;
    const share = totalBytes === 0 ? "" : percent(Math.floor((100 * doneBytes) / totalBytes));
    return (
      <Meter
        label={texts.packing}
        text={share === "" ? "…" : texts.packedShare(share)}
        value={doneBytes}
        max={Math.max(1, totalBytes)}
      />
    );
  }
  const { size } = pack.packed.blob;
  return (
    <Meter
      label={texts.sizeLabel}
      text={mostBytes === null ? bytes(size) : texts.sizeOf(bytes(size), bytes(mostBytes))}
      value={size}
      max={mostBytes}
      tone={mostBytes !== null && size > mostBytes * 0.9 ? "warn" : "ok"}
    />
  );
}

function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const texts = useTexts(uploadTexts);
  if (leftOut.length === 0) return null;
  const more = leftOut.length - mostLines;
  return (
    <details className={styles.leftOut} open={leftOut.length <= mostLines}>
      <summary>{texts.leftOutTitle(leftOut.length)}</summary>
      <ul className={styles.list}>
        {leftOut.slice(0, mostLines).map((path) => (
          <li key={path.name}>{sentenceOf(path, texts)}</li>
        ))}
        {more > 0 && <li>{texts.andMore(integer(more))}</li>}
      </ul>
    </details>
  );
}

/** Names that the service makes anew; the others are this computer's own. */
const installedHere = /(?:^|\/)(?:node_modules|\.venv|__pycache__)$/;

function sentenceOf({ name, reason, rule, bytes: size }: LeftOut, texts: (typeof uploadTexts)["pt"]): string {
  const shown = size === null || size === 0 ? "" : ` (${bytes(size)})`;
  if (reason === "rule") return texts.withoutRule(name, rule ?? "", shown);
  return installedHere.test(name) ? texts.withoutHere(name, shown) : texts.withoutOwn(name, shown);
}

function Restored({ pack }: { pack: Package }) {
  const texts = useTexts(uploadTexts);
  if (pack.kind !== "packed") return null;
  const restored = pack.packed.restored.filter(({ name }) => name !== "svc.json");
  if (restored.length === 0) return null;
  return (
    <ul className={styles.list}>
      {restored.map(({ name, rule }) => (
        <li key={name}>{texts.restored(name, rule ?? "…")}</li>
      ))}
    </ul>
  );
}
