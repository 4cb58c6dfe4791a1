import assert from "node:assert/strict";
import { test } from "node:test";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { Explainer } from "./explainer.ts";

const { settings } = sampleAssignment();
const program = { settings: { ...settings, language: "node" as const }, section: "app" as const };
const lines = ["Error: Cannot find module 'ws'"];

test("failures are explained one after the other by a thread of their own", async () => {
  await using explainer = new Explainer({ deadlineMs: 60_000 });
  const answers = await Promise.all([
    explainer.explain(program, lines),
    explainer.explain(program, ["all is well"]),
  ]);
  assert.match(ownerText(answers[0]), /Falta o módulo ws/);
  assert.equal(answers[1], undefined);
});

test("an answer that takes too long is given up, and the next one comes all the same", async () => {
  await using hasty = new Explainer({ deadlineMs: 0 });
  // The start of the thread does not count: a busy machine takes seconds for it.
  const long = Array.from({ length: 100 }, () => "at x ".repeat(10_000));
  assert.equal(await hasty.explain(program, [...long, ...lines]), undefined);
  await using patient = new Explainer({ deadlineMs: 60_000 });
  assert.match(ownerText(await patient.explain(program, lines)), /ws/);
});

test("more than can wait are not explained", async () => {
  await using explainer = new Explainer({ deadlineMs: 60_000 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => explainer.explain(program, lines)));
  assert.equal(answers.filter((answer) => answer === undefined).length, 8);
});
