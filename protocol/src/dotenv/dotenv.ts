/** Exports `@tijolo/protocol/dotenv`: reading and writing `.env` files. */

export * from "./format-dotenv.ts";
export * from "./parse-dotenv.ts";
export * from "./split-dotenv.ts";
