/** Types of `pinned.mjs`, which is plain JavaScript for any Node. */

export const nodeVersion: string;
export const pnpmVersion: string;
export const nodePackages: Record<"x64" | "arm64", string>;
export const integrity: Record<string, string>;
