declare module "virtual:routes" {
  import type { Routes } from "@tijolo/protocol/client";
  /** Method and path of each operation, made at build from the contract (`vite.config.ts`). */
  export const routes: Routes;
}

declare module "virtual:examples" {
  /** The projects of `examples/` by name, packed at build (`vite.config.ts`); each is a chunk of its own. */
  export const examples: Record<string, () => Promise<{ files: Record<string, string> }>>;
}

declare module "virtual:errors" {
  /** Status and texts of each error of the API, by its code. */
  export const errors: Readonly<
    Record<string, { status: number; pt: string; en: string; mayRetry: boolean }>
  >;
}

declare module "virtual:changes" {
  /** What each change of the operators is called, by its operation. */
  export const changes: Readonly<Record<string, { pt: string; en: string }>>;
}
