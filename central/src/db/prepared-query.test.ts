import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "./open-database.ts";
import { preparedQuery } from "./prepared-query.ts";

test("values go where they are named, whatever their order, and other names make another query", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  let built = 0;
  const save = preparedQuery((reader, { name, ...columns }: { name: string; value: string }) => {
    built++;
    return reader.insertInto("setting").values({ ...columns, name });
  });
  await save(db, { name: "a", value: "1" });
  await save(db, { name: "b", value: "2" });
  await save(db, { value: "3", name: "c" });
  assert.equal(built, 2);
  const rows = await db
    .selectFrom("setting")
    .selectAll()
    .where("name", "in", ["a", "b", "c"])
    .orderBy("name")
    .execute();
  assert.deepEqual(
    rows.map(({ name, value }) => name + value),
    ["a1", "b2", "c3"],
  );
});

test("a query with a value that is not named, or without one that is, is refused", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  const withOther = preparedQuery((reader, { name }: { name: string }) =>
    reader.selectFrom("setting").selectAll().where("name", "=", name).where("value", "=", "x"),
  );
  await assert.rejects(withOther(db, { name: "a" }), /named values only/);
  const without = preparedQuery((reader, { name }: { name: string; value: string }) =>
    reader.selectFrom("setting").selectAll().where("name", "=", name),
  );
  await assert.rejects(without(db, { name: "a", value: "x" }), /all its values/);
});
