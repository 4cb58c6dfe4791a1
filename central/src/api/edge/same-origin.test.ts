import assert from "node:assert/strict";
import { test } from "node:test";
import { assertSameOrigin } from "./same-origin.ts";

test("where the panel has TLS, a page of its host without TLS is another site; of another host only the name is known", () => {
  const cases: [panel: string, host: string, origin: string, isOwn: boolean][] = [
    ["https://panel.example", "panel.example", "https://panel.example", true],
    ["https://panel.example", "panel.example", "http://panel.example", false],
    ["https://panel.example", "PANEL.example", "http://panel.example", false],
    ["https://panel.example", "panel.example", "https://panel.example:8443", false],
    ["https://panel.example:8443", "panel.example:8443", "http://panel.example:8443", false],
    ["https://panel.example", "127.0.0.1:8080", "http://127.0.0.1:8080", true],
    ["https://panel.example", "127.0.0.1:8080", "https://panel.example", true],
    ["http://127.0.0.1:8080", "panel.example", "https://panel.example", true],
    ["http://panel.example", "panel.example", "http://panel.example", true],
  ];
  for (const [url, host, origin, isOwn] of cases) {
    const check = () =>
      assertSameOrigin({ panel: { url: () => url, signUp: "invitation" } }, { headers: { host, origin } });
    if (isOwn) check();
    else assert.throws(check, { code: "not_authenticated" }, `${url} ${host} ${origin}`);
  }
});
