/** Shown in a page's place when the page itself broke: a fault of the panel, or a chunk that did not come. */

import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "@tijolo/protocol/client";
import { readingTexts } from "../texts/reading.ts";
import { useTexts } from "../texts/in-both.ts";
import { Button } from "../ui/actions/button.tsx";
import { Banner } from "../ui/layout/banner.tsx";
import { Failure, isWithoutAnswer } from "./failure.tsx";

export function PageFailure({ error }: ErrorComponentProps) {
  const texts = useTexts(readingTexts);
  const reload = () => location.reload();
  if (error instanceof ApiError || (error instanceof Error && isWithoutAnswer(error)))
    return <Failure error={error} onRetry={reload} />;
  return (
    <Banner
      role="alert"
      tone="bad"
      title={texts.pageFailed}
      actions={<Button onClick={reload}>{texts.reload}</Button>}
    >
      <p>{texts.pageFailedText}</p>
    </Banner>
  );
}
