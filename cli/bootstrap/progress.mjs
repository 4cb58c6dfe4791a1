/** Reports on stderr what is being prepared, how long it takes, and how it ended. */

const tickMs = 1_000;
const quietTickMs = 15_000;

export class Progress {
  #stream;
  #isLive;

  constructor(stream = process.stderr) {
    this.#stream = stream;
    this.#isLive = Boolean(stream.isTTY) && process.env.CI === undefined;
    stream.on("error", () => {}); // what nobody hears is no reason to end
  }

  say(text) {
    this.#stream.write(`${text}\n`);
  }

  /**
   * Runs `action` under the title `text`; passes it a function that sets the current line. On a terminal one
   * line is rewritten each second, elsewhere a line comes every 15 s.
   */
  async step(text, action) {
    const startedAt = Date.now();
    const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
    let detail = "";
    const draw = () => {
      if (this.#isLive) this.#stream.write(`\r\x1b[2K… ${text} (${seconds()} s) ${detail.slice(0, 60)}`);
      else this.#stream.write(`  … ${text} (${seconds()} s)\n`);
    };
    if (this.#isLive) draw();
    else this.say(`… ${text}`);
    const timer = setInterval(draw, this.#isLive ? tickMs : quietTickMs);
    let mark = "✗";
    try {
      const result = await action((line) => {
        detail = line.replace(/[^\x20-\x7e]/g, "");
      });
      mark = "✓";
      return result;
    } finally {
      clearInterval(timer);
      this.#stream.write(`${this.#isLive ? "\r\x1b[2K" : ""}${mark} ${text} (${seconds()} s)\n`);
    }
  }
}
