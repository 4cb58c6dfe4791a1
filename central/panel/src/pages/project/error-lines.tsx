/** The last lines of the log, where a project failed. */

import { useQuery } from "@tanstack/react-query";
import { readLastLines } from "../../api/last-lines.ts";
import { useTexts } from "../../texts/in-both.ts";
import { overviewTexts } from "../../texts/project/overview.ts";
import styles from "./overview-page.module.css";

interface ErrorLinesProps {
  projectId: string;
  section: "install" | "app";
  /** Changes when there are other lines. */
  changedAt: string;
}

export function ErrorLines({ projectId, section, changedAt }: ErrorLinesProps) {
  const texts = useTexts(overviewTexts);
  const { data: lines = [] } = useQuery({
    queryKey: ["last-lines", projectId, section, changedAt],
    queryFn: ({ signal }) => readLastLines(projectId, section, signal),
  });
  if (lines.length === 0) return null;
  return (
    <figure className={styles.lines}>
      <figcaption>{texts.lastLines}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways */}
      <pre tabIndex={0}>{lines.join("\n")}</pre>
    </figure>
  );
}
