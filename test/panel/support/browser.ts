/** Runs one Chromium for all visitors of a process; it ends a moment after the last of them has left. */

import { chromium, type Browser } from "playwright-core";

/** Place of Debian's package, which the bootstrap installs. */
const executablePath = "/usr/bin/chromium";
/** Milliseconds for which it waits for the next visitor: a start takes a second. */
const lingerMs = 2_000;

class SharedBrowser {
  #browser: Promise<Browser> | null = null;
  #visitors = 0;
  #ending: NodeJS.Timeout | null = null;

  /** Starts it where it does not run. Each call is followed by one of {@link leave}. */
  enter(): Promise<Browser> {
    this.#visitors++;
    if (this.#ending !== null) clearTimeout(this.#ending);
    this.#ending = null;
    this.#browser ??= chromium.launch({
      executablePath,
      args: ["--disable-gpu", "--disable-dev-shm-usage"],
      // Chromium has no sandbox of its own as root. It only opens pages of ours.
      chromiumSandbox: process.getuid?.() !== 0,
    });
    return this.#browser;
  }

  leave(): void {
    this.#visitors--;
    if (this.#visitors > 0) return;
    this.#ending = setTimeout(() => {
      const browser = this.#browser;
      this.#browser = null;
      browser?.then((started) => started.close()).catch(() => {});
    }, lingerMs);
  }
}

export const sharedBrowser = new SharedBrowser();
