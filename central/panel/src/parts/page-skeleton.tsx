/** Stands where a page will, while its chunk is on its way: with a heading, since a page has one at each moment. */

import { readingTexts } from "../texts/reading.ts";
import { useTexts } from "../texts/in-both.ts";
import { Skeleton } from "../ui/marks/skeleton.tsx";

export function PageSkeleton() {
  const { loading } = useTexts(readingTexts);
  return (
    <>
      <h1 className="visually-hidden">{loading}</h1>
      <Skeleton label={loading} height="20rem" />
    </>
  );
}
