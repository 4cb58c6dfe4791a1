/** Reads an operation of the API into a component, and makes what was read old. */

import type { CallInput, Client, OperationAnswer, OperationName } from "@tijolo/protocol/client";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api } from "./client.ts";
import { queryClient } from "./query-client.ts";

/** Operations with a JSON document or nothing as their answer: not streams, not stored files. */
export type PlainName = {
  [Name in OperationName]: Client[Name] extends (
    input: CallInput<Name>,
    options?: never,
  ) => Promise<OperationAnswer<Name>>
    ? Name
    : never;
}[OperationName];

export interface ReadOptions {
  /** False while what the input needs is not known. */
  isEnabled?: boolean;
  /** Milliseconds for which an answer counts as new. Default: 30 s. */
  staleMs?: number;
}

export type Read<Name extends PlainName> = UseQueryResult<OperationAnswer<Name>>;

/** Reads `name` with `input`; the answer is shared by all components that read the same. */
export function useRead<Name extends PlainName>(
  name: Name,
  input?: CallInput<Name>,
  { isEnabled = true, staleMs }: ReadOptions = {},
): Read<Name> {
  return useQuery<OperationAnswer<Name>>({
    queryKey: [name, input ?? {}],
    queryFn: ({ signal }) => call(name, input, { signal }),
    enabled: isEnabled,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  });
}

/** Calls an operation by its name. */
export function call<Name extends PlainName>(
  name: Name,
  input: CallInput<Name> | undefined,
  options?: { signal?: AbortSignal; idempotencyKey?: string },
): Promise<OperationAnswer<Name>> {
  const method = api[name] as unknown as (input: unknown, options: unknown) => Promise<OperationAnswer<Name>>;
  return method(input ?? {}, options);
}

/** Makes all answers of these operations old: those on the screen are read again now, others when needed. */
export async function refresh(...names: PlainName[]): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}
