/** Defines the files of a project as a proposal sees them: on a disk, in a browser, or in a test. */

export interface ProjectTree {
  /** Paths of the files that would be uploaded, relative to the project's folder, with `/`. */
  files: readonly string[];
  /** Returns the text of a file, at least its first 64 KB; null when it cannot be read. */
  read(path: string): Promise<string | null>;
}

/** Answers questions about a tree; a file is read once. */
export class TreeReader {
  readonly files: readonly string[];
  readonly #tree: ProjectTree;
  readonly #names: ReadonlySet<string>;
  readonly #texts = new Map<string, Promise<string | null>>();

  constructor(tree: ProjectTree) {
    this.#tree = tree;
    this.files = tree.files;
    this.#names = new Set(tree.files);
  }

  has(path: string): boolean {
    return this.#names.has(path);
  }

  /** Returns the first of these files that is there. */
  first(paths: readonly string[]): string | null {
    return paths.find((path) => this.has(path)) ?? null;
  }

  /** Returns the files with this ending, those nearer to the project's folder first. */
  endingWith(ending: string): string[] {
    const depthOf = (path: string) => path.split("/").length;
    return this.files.filter((path) => path.endsWith(ending)).sort((a, b) => depthOf(a) - depthOf(b));
  }

  /** Returns a file's text; empty when it is not there. */
  async text(path: string): Promise<string> {
    if (!this.has(path)) return "";
    const known = this.#texts.get(path) ?? this.#tree.read(path);
    this.#texts.set(path, known);
    return ((await known) ?? "").replace(/^\uFEFF/, "");
  }

  /** Returns the text of the first of these files that is there, with its name. */
  async firstText(paths: readonly string[]): Promise<{ file: string; text: string } | null> {
    const file = this.first(paths);
    return file === null ? null : { file, text: await this.text(file) };
  }
}
