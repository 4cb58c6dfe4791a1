/** Shown for an address that no page has. */

import { Link } from "@tanstack/react-router";
import { readingTexts } from "../texts/reading.ts";
import { useTexts } from "../texts/in-both.ts";
import { buttonClass } from "../ui/actions/button.tsx";
import { Empty } from "../ui/layout/empty.tsx";
import { Page } from "./page.tsx";

export function NotFound() {
  const texts = useTexts(readingTexts);
  return (
    <Page title={texts.notFound}>
      <Empty
        picture="nothing"
        sentence={texts.notFoundText}
        action={
          <Link to="/" className={buttonClass()}>
            {texts.toProjects}
          </Link>
        }
      />
    </Page>
  );
}
