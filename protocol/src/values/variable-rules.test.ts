import assert from "node:assert/strict";
import { test } from "node:test";
import { variableName } from "../nouns/variable.ts";
import { problemOfName } from "./variable-rules.ts";

test("a name is refused while it is typed for what the schema refuses", () => {
  const cases = {
    A_1: null,
    "": "format",
    "1A": "format",
    "A B": "format",
    PORT: "reserved",
    SVC_X: "reserved",
  };
  for (const [name, problem] of Object.entries({ ...cases, ["x".repeat(257)]: "length" })) {
    assert.equal(problemOfName(name), problem, name);
    assert.equal(variableName.safeParse(name).success, problem === null, name);
  }
});
