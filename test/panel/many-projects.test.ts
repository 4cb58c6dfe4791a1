/** Opens the list of an account with 500 projects in a browser, and has an action refused there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@tijolo/protocol";
import { until } from "../support/until.ts";
import { createManyProjects } from "./support/many-projects.ts";
import { Visitor } from "./support/visitor.ts";

const count = 500;
/** More than the projects take, few enough to be used up by the test. */
const sessionRequestsPerMinute = 2_000;
/** To make the projects takes most of a minute of a processor, which a busy machine gives in many. */
const timeoutMs = 20 * 60_000;

test(
  "of 500 projects only those in sight are in the page; a refusal stands in the row",
  { timeout: timeoutMs },
  async () => {
    await using many = await createManyProjects(count, { limits: { sessionRequestsPerMinute } });
    const { cluster, session } = many;
    await using ana = await Visitor.open(cluster, "/", { session });
    const { page } = ana;
    const row = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
    const list = page.getByRole("list", { name: "Lista de projetos" });
    await row("bot-000").waitFor();
    assert.ok((await list.getByRole("listitem").count()) <= 120);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await row("bot-499").waitFor();
    assert.ok((await list.getByRole("listitem").count()) <= 120);

    await page.getByLabel("Procurar projeto").fill("bot-250");
    await row("bot-250").getByText("Parado", { exact: true }).waitFor({ timeout: 120_000 });
    // All that this person may ask in a minute is asked elsewhere.
    await until(
      async () => {
        try {
          await session.client.getSession();
          return false;
        } catch (cause) {
          return cause instanceof ApiError && cause.status === 429;
        }
      },
      { everyMs: 0, timeoutMs: 120_000 },
    );
    await page.getByRole("button", { name: "Iniciar: bot-250" }).click();
    await row("bot-250").getByRole("alert").waitFor();
    await row("bot-250").getByText("Parado", { exact: true }).waitFor();
  },
);
