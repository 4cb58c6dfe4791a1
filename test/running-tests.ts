/** Knows which tests run at the moment, from the events of Node's test runner. */

import { relative } from "node:path";

export type TestEvent = { type: string; data: unknown };

interface TestPlace {
  file?: string;
  name: string;
}

export class RunningTests {
  /** Names of the running tests by file; a file without running tests has an empty list. */
  readonly #byFile = new Map<string, string[]>();

  take({ type, data }: TestEvent): void {
    if (type !== "test:dequeue" && type !== "test:complete") return;
    const { file, name } = data as TestPlace;
    if (file === undefined) return;
    const names = this.#byFile.get(file) ?? [];
    const isFile = file.endsWith(name);
    if (type === "test:dequeue") this.#byFile.set(file, isFile ? names : [...names, name]);
    else if (isFile) this.#byFile.delete(file);
    else this.#byFile.set(file, withoutOne(names, name));
  }

  /**
   * Returns a line for each file that runs, with the names of its running tests; `root` is the repository.
   */
  describe(root: string): string {
    const lines = [...this.#byFile].map(([file, names]) => {
      const tests = names.length === 0 ? "no test (it is kept alive beside its tests)" : names.join(" > ");
      return `  ${relative(root, file)}: ${tests}`;
    });
    return lines.length === 0 ? "  nothing" : lines.join("\n");
  }
}

function withoutOne(names: readonly string[], name: string): string[] {
  const index = names.indexOf(name);
  return names.filter((_, at) => at !== index);
}
