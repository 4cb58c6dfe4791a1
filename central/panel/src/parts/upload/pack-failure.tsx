/** Says why a folder or an archive cannot be sent as it is, and what to do. */

import { bytes, integer } from "../../formats/formats.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts, type Texts } from "../../texts/in-both.ts";
import { Banner } from "../../ui/layout/banner.tsx";
import type { Inspection, PackProblem } from "./worker/messages.ts";

interface PackFailureProps {
  problem: PackProblem | Error;
  /** Package that was refused; present where it could be read. */
  of?: Pick<Inspection, "kind" | "largest">;
}

export function PackFailure({ problem, of }: PackFailureProps) {
  const texts = useTexts(uploadTexts);
  if (problem instanceof Error)
    return (
      <Banner tone="bad" role="alert" title={texts.readFailed}>
        {problem.message}
      </Banner>
    );
  return (
    <Banner tone="bad" role="alert" title={sentenceOf(problem, texts)}>
      {problem.code === "tooLarge" && of !== undefined && of.largest.length > 0 && (
        <>
          <p>{of.kind === "folder" ? texts.tooLargeMore : texts.tooLargeInZip}</p>
          <ul>
            {of.largest.map(({ name, bytes: size }) => (
              <li key={name}>
                {name}: {bytes(size)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}

/** The first reason why what was chosen cannot be sent, in one sentence. */
export function sentenceOf(problem: PackProblem | Error, texts: Texts<(typeof uploadTexts)["pt"]>): string {
  if (problem instanceof Error) return texts.readFailed;
  switch (problem.code) {
    case "empty":
      return texts.emptyFolder;
    case "notAnArchive":
      return texts.notZip;
    case "tooManyFiles":
      return texts.tooManyFiles(integer(problem.count), integer(problem.most));
    case "tooLarge":
      return texts.tooLarge(bytes(problem.mostBytes));
    case "changed":
      return texts.fileChanged(problem.name);
    case "unreadable":
      return texts.fileUnreadable(problem.name);
  }
}
