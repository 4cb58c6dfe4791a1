/** Says why a folder or an archive cannot be sent as it is, and what to do. */

import { bytes, integer } from "../../formats/formats.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts, type Texts } from "../../texts/in-both.ts";
import { Banner } from "../../ui/layout/banner.tsx";
import type { PackProblem, SizedName } from "./worker/messages.ts";

interface PackFailureProps {
  problem: PackProblem | Error;
  largest?: readonly SizedName[];
}

export function PackFailure({ problem, largest = [] }: PackFailureProps) {
  const texts = useTexts(uploadTexts);
  if (problem instanceof Error)
    return (
      <Banner tone="bad" role="alert" title={texts.readFailed}>
        {problem.message}
      </Banner>
    );
  return (
    <Banner tone="bad" role="alert" title={sentenceOf(problem, texts)}>
      {problem.code === "tooLarge" && largest.length > 0 && (
        <>
          <p>{texts.tooLargeMore}</p>
          <ul>
            {largest.map(({ name, bytes: size }) => (
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

export function sentenceOf(problem: PackProblem, texts: Texts<(typeof uploadTexts)["pt"]>): string {
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
