/**
 * Exports `@tijolo/protocol/choices`: what a person may choose of language, version and memory, and what an
 * entry means, without schemas.
 */

export * from "../nouns/language.ts";
export { minimumMemoryMb } from "./minimum-memory.ts";
export { isBuilt } from "./built-entry.ts";
