import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleLive } from "../../../../../test/support/live/live-samples.ts";
import { reasonsOf, takers } from "./project-reasons.ts";
import { statusNow } from "./status-words.ts";
import { projectTexts } from "../../texts/project/project.ts";

const free = { pending: null, isSuspended: false, isKept: false };
const running = sampleLive({ id: "a", status: "running" });
const stopped = sampleLive({ id: "b", status: "stopped", startedAt: null });

test("a button that cannot act says why", () => {
  assert.deepEqual(reasonsOf(running, free), { start: "already_running", restart: null, stop: null });
  assert.deepEqual(reasonsOf(stopped, free), { start: null, restart: null, stop: "already_stopped" });
  assert.equal(reasonsOf({ ...running, action: "stopping" }, free).restart, "project_busy");
  assert.equal(reasonsOf(running, { ...free, pending: "restarting" }).restart, "project_busy");
  assert.equal(reasonsOf({ ...running, isHostAway: true }, free).stop, "server_unavailable");
  assert.deepEqual(reasonsOf(running, { ...free, isSuspended: true }), {
    start: "account_suspended",
    restart: "account_suspended",
    stop: null,
  });
  assert.equal(reasonsOf(running, { ...free, isKept: true }).stop, "not_told");
  const failed = sampleLive({ status: "error", error: { code: "install_failed", message: "" } });
  assert.equal(reasonsOf(failed, free).start, "install_pending");
});

test("an action on several is for those that gain by it", () => {
  const all = [running, stopped];
  const ids = (run: "start" | "stop" | "restart") =>
    takers(all, run, () => free).map(({ project }) => project.id);
  assert.deepEqual([ids("start"), ids("restart"), ids("stop")], [["b"], ["a"], ["a"]]);
});

test("what is under way comes before the status; a site that does not listen is starting for a minute, and then told as such", () => {
  const context = { texts: projectTexts.pt, now: Date.parse("2026-01-01T12:00:30.000Z") };
  assert.deepEqual(statusNow(running, null, context), { shape: "whole", label: "No ar" });
  assert.equal(statusNow(running, "stopping", context).label, "Parando…");
  const site = { ...sampleLive({ type: "site", port: 8080 }), isSilent: true };
  assert.equal(statusNow(site, null, context).label, "Iniciando: ainda não atende na porta 8080");
  assert.equal(
    statusNow(site, null, { ...context, now: context.now + 60_000 }).label,
    "Roda, mas não atende na porta 8080",
  );
});
