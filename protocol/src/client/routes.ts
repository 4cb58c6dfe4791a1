/**
 * Defines the table of routes that the client works by: of each operation what a call needs, without schemas
 * and texts.
 */

import type { Answer, Body, Method, Operation } from "../contract/operation.ts";
import type { OperationName } from "../contract/operations.ts";

/** The route of one operation. It is plain JSON: a build step can write the table into a file. */
export interface Route {
  method: Method;
  /** Path relative to `baseUrl`, parameters in braces. */
  path: string;
  /** Absent for a request without a body. */
  body?: Exclude<Body["kind"], "none">;
  /** Absent for an answer of JSON. */
  answer?: Exclude<Answer["kind"], "json">;
}

export type Routes = Readonly<Record<OperationName, Route>>;

/** Returns the routes of a table of operations. */
export function routesOf<Name extends string>(
  operations: Readonly<Record<Name, Operation>>,
): Readonly<Record<Name, Route>> {
  const entries = Object.entries<Operation>(operations);
  return Object.fromEntries(entries.map(([name, operation]) => [name, routeOf(operation)])) as Record<
    Name,
    Route
  >;
}

function routeOf({ method, path, body, answer }: Operation): Route {
  return {
    method,
    path,
    ...(body.kind === "none" ? {} : { body: body.kind }),
    ...(answer.kind === "json" ? {} : { answer: answer.kind }),
  };
}
