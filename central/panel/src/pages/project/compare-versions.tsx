/** Shows which files differ between a version and the current one. Load it lazily: it brings the dialog. */

import { useEffect, useState } from "react";
import { storedArchive } from "../../api/stored-archive.ts";
import { bytes, integer } from "../../formats/formats.ts";
import { Failure } from "../../parts/failure.tsx";
import { compareArchives, type ArchiveDifference } from "../../parts/zip/compare-archives.ts";
import { readZip, type ZipEntry } from "../../parts/zip/zip-directory.ts";
import { useTexts } from "../../texts/in-both.ts";
import { versionsTexts } from "../../texts/project/versions.ts";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import styles from "./versions-page.module.css";

/** Names of one kind that are shown. */
const mostNames = 100;

interface VersionArchive {
  number: number;
  sizeBytes: number;
}

interface CompareVersionsProps {
  projectId: string;
  version: VersionArchive;
  current: VersionArchive;
  onClose: () => void;
}

export function CompareVersions({ projectId, version, current, onClose }: CompareVersionsProps) {
  const texts = useTexts(versionsTexts);
  const { difference, error, retry } = useDifference(projectId, version, current);
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={texts.compareTitle(version.number, current.number)}
      description={texts.compareText}
      closeWord={texts.close}
    >
      {error !== null && <Failure error={error} onRetry={retry} />}
      {error === null && difference === null && <Skeleton count={3} label={texts.comparing} />}
      {difference !== null && <Difference difference={difference} />}
    </Dialog>
  );
}

function Difference({ difference }: { difference: ArchiveDifference }) {
  const texts = useTexts(versionsTexts);
  const kinds = (["added", "changed", "removed"] as const).filter((kind) => difference[kind].length > 0);
  if (kinds.length === 0) return <p>{texts.noDifference}</p>;
  return kinds.map((kind) => <Files key={kind} title={texts.files[kind]} entries={difference[kind]} />);
}

function Files({ title, entries }: { title: string; entries: readonly ZipEntry[] }) {
  const texts = useTexts(versionsTexts);
  const more = entries.length - mostNames;
  return (
    <section>
      <h3 className={styles.kind}>
        {title}: {integer(entries.length)}
      </h3>
      <ul className={styles.files}>
        {entries.slice(0, mostNames).map(({ name, bytes: size }) => (
          <li key={name}>
            <code>{name}</code> <span className={styles.soft}>{bytes(size)}</span>
          </li>
        ))}
        {more > 0 && <li>{texts.more(more)}</li>}
      </ul>
    </section>
  );
}

/** Reads the directories of both archives, a few kilobytes of each. */
function useDifference(projectId: string, version: VersionArchive, current: VersionArchive) {
  const [difference, setDifference] = useState<ArchiveDifference | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  const [before, after] = [version.number, current.number];
  const [beforeBytes, afterBytes] = [version.sizeBytes, current.sizeBytes];
  useEffect(() => {
    let isLeft = false;
    const read = (number: number, sizeBytes: number) =>
      readZip(storedArchive({ projectId, number, sizeBytes }));
    setError(null);
    Promise.all([read(before, beforeBytes), read(after, afterBytes)]).then(
      ([old, now]) => isLeft || setDifference(compareArchives(old, now)),
      (cause: unknown) => isLeft || setError(cause instanceof Error ? cause : new Error(String(cause))),
    );
    return () => void (isLeft = true);
  }, [projectId, before, beforeBytes, after, afterBytes, tries]);
  return { difference, error, retry: () => setTries(tries + 1) };
}
