/**
 * Exports `@tijolo/protocol/choices`: what a person may choose of language, version and memory, without
 * schemas.
 */

export * from "../nouns/language.ts";
export { minimumMemoryMb } from "./minimum-memory.ts";
