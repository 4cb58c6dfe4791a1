/**
 * For queries that run with each request: their SQL is made once, and from then on only their values change.
 */

import { CompiledQuery, type Compilable } from "kysely";
import type { Reader, Transaction } from "./schema.ts";

/**
 * `build` makes a query with each of the named values in it, each as it is, and no other value.
 * It is called once for each set of names: the query must not hang on what the values are.
 */
export function preparedQuery<Values extends object, Row>(
  build: (db: Reader, values: Values) => Compilable<Row>,
): (db: Reader, values: Values) => Promise<Row[]> {
  const preparedByNames = new Map<string, Prepared<Values>>();
  return async (db, values) => {
    const names = Object.keys(values).join();
    const prepared = preparedByNames.get(names) ?? prepare(values, (markers) => build(db, markers).compile());
    preparedByNames.set(names, prepared);
    const parameters = prepared.names.map((name) => values[name]);
    const statements = isTransaction(db) ? db.statements : db.commits.statementsBetween;
    if (statements !== null) return statements.run(prepared.sql, parameters) as Row[];
    return (await db.executeQuery<Row>(CompiledQuery.raw(prepared.sql, parameters))).rows;
  };
}

function isTransaction(db: Reader): db is Transaction {
  return "statements" in db;
}

interface Prepared<Values> {
  sql: string;
  /** Of the value for each parameter. */
  names: readonly (keyof Values)[];
}

/** With a marker in the place of each value, so that where it went can be seen. */
function prepare<Values extends object>(
  values: Values,
  compile: (markers: Values) => CompiledQuery,
): Prepared<Values> {
  const nameOf = new Map(Object.keys(values).map((name) => [`value ${name}`, name as keyof Values]));
  const markers = Object.fromEntries([...nameOf].map(([marker, name]) => [name, marker])) as Values;
  const query = compile(markers);
  const names = query.parameters.map((parameter) => {
    const name = nameOf.get(parameter as string);
    if (name === undefined) throw new Error(`a prepared query has named values only: ${query.sql}`);
    return name;
  });
  if (new Set(names).size !== nameOf.size)
    throw new Error(`a prepared query has all its values: ${query.sql}`);
  return { sql: query.sql, names };
}
