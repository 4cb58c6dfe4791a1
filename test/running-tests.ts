/** Knows which tests run at the moment, from the events of Node's test runner. */

import { relative, resolve } from "node:path";

export type TestEvent = { type: string; data: unknown };

interface TestPlace {
  file?: string;
  name: string;
}

/** True for the name of a test file: of its process, or of its suite in a group (`test/groups/`). */
export function isTestFile(name: string): boolean {
  return /^[\w./-]+\.test\.m?[jt]s$/.test(name);
}

export class RunningTests {
  /** Relative to it are the names of test files. */
  readonly #root: string;
  /** Names of the running tests by file; a file without running tests has an empty list. */
  readonly #byFile = new Map<string, string[]>();

  constructor(root: string) {
    this.#root = root;
  }

  take({ type, data }: TestEvent): void {
    if (type !== "test:dequeue" && type !== "test:complete") return;
    const { file, name } = data as TestPlace;
    if (file === undefined) return;
    const isStart = type === "test:dequeue";
    if (isTestFile(name)) {
      const path = resolve(this.#root, name);
      if (isStart) this.#byFile.set(path, this.#byFile.get(path) ?? []);
      else this.#byFile.delete(path);
      return;
    }
    const names = this.#byFile.get(file) ?? [];
    this.#byFile.set(file, isStart ? [...names, name] : withoutOne(names, name));
  }

  /** Returns a line for each file that runs, with the names of its running tests. */
  describe(): string {
    const lines = [...this.#byFile].map(([file, names]) => {
      const tests =
        names.length === 0 ? "no test (it is a group, or is kept alive beside its tests)" : names.join(" > ");
      return `  ${relative(this.#root, file)}: ${tests}`;
    });
    return lines.length === 0 ? "  nothing" : lines.join("\n");
  }
}

function withoutOne(names: readonly string[], name: string): string[] {
  const index = names.indexOf(name);
  return names.filter((_, at) => at !== index);
}
