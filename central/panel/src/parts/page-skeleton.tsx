/** Stands where a page will, while its chunk is on its way. */

import { readingTexts } from "../texts/reading.ts";
import { useTexts } from "../texts/in-both.ts";
import { Skeleton } from "../ui/marks/skeleton.tsx";

export function PageSkeleton() {
  const { loading } = useTexts(readingTexts);
  return <Skeleton label={loading} height="20rem" />;
}
