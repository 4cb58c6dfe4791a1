/**
 * Better Auth's store, on central's own database: it works inside our transactions, and keeps times in
 * milliseconds as every table does.
 */

import { createAdapterFactory, type CleanedWhere as Condition } from "better-auth/adapters";
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from "kysely";
import type { Reader } from "./schema.ts";

type Row = Record<string, unknown>;
type Tables = Record<string, Row>;

const operators = {
  eq: "=",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "in",
  not_in: "not in",
} as const;

/** To be handed to Better Auth; everything it does then goes through `db`. */
export function authAdapter(db: Reader): ReturnType<typeof createAdapterFactory> {
  // The library names tables and columns at run time.
  const tables = db as unknown as Kysely<Tables>;
  const select = (model: string, where: readonly Condition[] = []) =>
    tables.selectFrom(model).selectAll().where(matching(where));
  const matchingIds = async (model: string, where: readonly Condition[]) =>
    (await select(model, where).execute()).map(({ id }) => id);

  return createAdapterFactory({
    config: {
      adapterId: "central",
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === "date" && typeof data === "number" ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => ({
      async create<T extends Row>({ model, data }: { model: string; data: T }) {
        await tables.insertInto(model).values(data).execute();
        return data;
      },
      async findOne<T>({ model, where }: { model: string; where: Condition[] }) {
        return ((await select(model, where).limit(1).executeTakeFirst()) ?? null) as T | null;
      },
      async findMany<T>(query: {
        model: string;
        where?: Condition[] | undefined;
        limit: number;
        sortBy?: { field: string; direction: "asc" | "desc" } | undefined;
        offset?: number | undefined;
      }) {
        const { model, where, limit, sortBy, offset } = query;
        const rows = select(model, where)
          .limit(limit)
          .offset(offset ?? 0);
        return (await (
          sortBy === undefined
            ? rows
            : rows.orderBy(getFieldName({ model, field: sortBy.field }), sortBy.direction)
        ).execute()) as T[];
      },
      async update<T>({ model, where, update }: { model: string; where: Condition[]; update: T }) {
        const [id] = await matchingIds(model, where);
        if (id === undefined) return null;
        await tables
          .updateTable(model)
          .set(update as Row)
          .where("id", "=", id)
          .execute();
        return (await tables.selectFrom(model).selectAll().where("id", "=", id).executeTakeFirst()) as T;
      },
      async updateMany({ model, where, update }: { model: string; where: Condition[]; update: Row }) {
        const result = await tables.updateTable(model).set(update).where(matching(where)).executeTakeFirst();
        return Number(result.numUpdatedRows);
      },
      async delete({ model, where }: { model: string; where: Condition[] }) {
        await tables.deleteFrom(model).where(matching(where)).execute();
      },
      async deleteMany({ model, where }: { model: string; where: Condition[] }) {
        return Number(
          (await tables.deleteFrom(model).where(matching(where)).executeTakeFirst()).numDeletedRows,
        );
      },
      async consumeOne<T>({ model, where }: { model: string; where: Condition[] }) {
        const [id] = await matchingIds(model, where);
        if (id === undefined) return null;
        return ((await tables.deleteFrom(model).where("id", "=", id).returningAll().executeTakeFirst()) ??
          null) as T | null;
      },
      async count({ model, where }: { model: string; where?: Condition[] | undefined }) {
        return (await matchingIds(model, where ?? [])).length;
      },
    }),
  });
}

function matching(where: readonly Condition[]) {
  return (build: ExpressionBuilder<Tables, string>): ExpressionWrapper<Tables, string, SqlBool> => {
    const terms = (connector: "AND" | "OR") =>
      where
        .filter((condition) => condition.connector === connector)
        .map((condition) => build(condition.field, operatorOf(condition), condition.value));
    const any = terms("OR");
    return build.and(any.length === 0 ? terms("AND") : [...terms("AND"), build.or(any)]);
  };
}

function operatorOf({
  operator = "eq",
  value,
}: Condition): "is" | "is not" | (typeof operators)[keyof typeof operators] {
  if (value === null) return operator === "ne" ? "is not" : "is";
  if (!Object.hasOwn(operators, operator)) throw new Error(`${operator} is not a condition of this store`);
  return operators[operator as keyof typeof operators];
}
