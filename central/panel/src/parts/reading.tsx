/** Shows what was read: a skeleton while it loads, what failed when it did, and old values when only the newest try did. */

import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

interface ReadingProps<Data> {
  of: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> };
  /** Of the final size; it shows after 150 ms. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Reading<Data>({ of, skeleton, children }: ReadingProps<Data>) {
  const { data, error } = of;
  const retry = () => void of.refetch();
  if (data !== undefined)
    return (
      <>
        {error !== null && <Failure error={error} onRetry={retry} />}
        {children(data)}
      </>
    );
  return error === null ? skeleton : <Failure error={error} onRetry={retry} />;
}
