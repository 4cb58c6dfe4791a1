/** Reads a list of the API page by page, as the person asks for older entries. */

import type { CallInput, OperationAnswer } from "@tijolo/protocol/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { call, type PlainName } from "./use-read.ts";

/** Operations that answer one page of a list and the cursor of the next. */
export type PagedName = {
  [Name in PlainName]: OperationAnswer<Name> extends { nextCursor: string | null } ? Name : never;
}[PlainName];

export interface Pages<Name extends PagedName> {
  /** The pages so far; undefined until the first has come. */
  data: OperationAnswer<Name>[] | undefined;
  error: Error | null;
  isPending: boolean;
  refetch: () => Promise<unknown>;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
}

export function usePages<Name extends PagedName>(name: Name, input?: CallInput<Name>): Pages<Name> {
  const query = useInfiniteQuery({
    queryKey: [name, "pages", input ?? {}],
    queryFn: ({ pageParam, signal }) => {
      const given = input as { query?: object } | undefined;
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return call(name, { ...given, query: { ...given?.query, ...cursor } } as CallInput<Name>, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
  });
  return {
    data: query.data?.pages,
    error: query.error,
    isPending: query.isPending,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}
