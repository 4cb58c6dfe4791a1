import assert from "node:assert/strict";
import { test } from "node:test";
import { browserName } from "./browser-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const samples = [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/146.0.0.0 Safari/537.36`, "Chrome", "Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/146.0 Safari/537.36 Edg/146.0`, "Edge", "Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/146.0 Safari/537.36 OPR/120.0`, "Opera", "Linux"],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S921B) ${webkit} SamsungBrowser/30.0 Chrome/140.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/146.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iPhone",
  ],
  ["curl/8.5.0", "curl", null],
  ["something else", null, null],
] as const;

for (const [userAgent, browser, system] of samples)
  test(`${browser ?? "an unknown browser"} on ${system ?? "an unknown system"}`, () => {
    assert.deepEqual(browserName(userAgent), { browser, system });
  });
