/** A machine with Debian and systemd that a drill installs things on, whatever it is made of. */

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Characters of what a failed program wrote that its error tells. */
const wordsLength = 4_000;

export abstract class DebianMachine {
  abstract get name(): string;

  /** Runs a program to its end, as root, however that is. */
  abstract try(argv: readonly string[], variables?: Record<string, string>, input?: string): Promise<Ran>;

  /** Turns it off, as its owner does, and on again. */
  abstract reboot(): Promise<void>;

  /** Runs a program to its end, as root. Throws, with its words, unless it ends with 0. */
  async run(argv: readonly string[], variables: Record<string, string> = {}, input = ""): Promise<string> {
    const { code, stdout, stderr } = await this.try(argv, variables, input);
    if (code !== 0) {
      const said = `${stdout}\n${stderr}`.trim().slice(-wordsLength);
      throw new Error(`${this.name}: ${argv.join(" ")}: code ${code}\n${said}`);
    }
    return stdout;
  }

  /** Resolves with what a command of the CLI prints with `--json`. */
  async tijolo<T>(words: readonly string[], login: Record<string, string>): Promise<T> {
    return JSON.parse(await this.run(["tijolo", ...words, "--json"], login)) as T;
  }
}

/** Returns the arguments that run a program with the environment of root's login, and these variables. */
export function asRoot(argv: readonly string[], variables: Record<string, string>): string[] {
  const usual = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
  const entries = Object.entries({ ...usual, LANG: "C.UTF-8", ...variables });
  return ["env", "-i", ...entries.map(([key, value]) => `${key}=${value}`), ...argv];
}
