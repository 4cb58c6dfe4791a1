/** Runs one Chromium for all visitors of a process; it ends a moment after the last of them has left. */

import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { BrowserNetwork } from "./browser-network.ts";

/** Place of Debian's package, which the bootstrap installs. */
const executablePath = "/usr/bin/chromium";
/** A name of the loopback that browsers do not trust as they do `localhost`. */
export const plainHost = "tijolo.test";
/** Milliseconds for which it waits for the next visitor: a start takes a second. */
const lingerMs = 2_000;
/** Without root there are no containers beside, so no links that come and go. */
const isRoot = process.getuid?.() === 0;

interface Started {
  browser: Browser;
  /** Null where the browser is in the network of this machine. */
  network: BrowserNetwork | null;
}

class SharedBrowser {
  #started: Promise<Started> | null = null;
  #visitors = 0;
  #ending: NodeJS.Timeout | null = null;

  /** Starts it where it does not run; `localhost:<port>` is open to it. Each call is followed by one of {@link leave}. */
  async enter(port: number): Promise<Browser> {
    this.#visitors++;
    if (this.#ending !== null) clearTimeout(this.#ending);
    this.#ending = null;
    const { browser, network } = await (this.#started ??= start());
    await network?.carry(port);
    return browser;
  }

  leave(): void {
    this.#visitors--;
    if (this.#visitors > 0) return;
    this.#ending = setTimeout(() => {
      const started = this.#started;
      this.#started = null;
      started?.then(end).catch(() => {});
    }, lingerMs);
  }
}

export const sharedBrowser = new SharedBrowser();

async function start(): Promise<Started> {
  const network = isRoot ? await BrowserNetwork.create() : null;
  try {
    const browser = await chromium.launch({
      ...(network === null
        ? { executablePath }
        : {
            executablePath: join(import.meta.dirname, "chromium-in-network"),
            env: { ...process.env, BROWSER_NETWORK: network.path },
          }),
      args: ["--disable-gpu", "--disable-dev-shm-usage", `--host-resolver-rules=MAP ${plainHost} localhost`],
      // Chromium has no sandbox of its own as root. It only opens pages of ours.
      chromiumSandbox: !isRoot,
    });
    return { browser, network };
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    throw error;
  }
}

async function end({ browser, network }: Started): Promise<void> {
  await browser.close().finally(() => network?.[Symbol.asyncDispose]());
}
