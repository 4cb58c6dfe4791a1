export * from "./language.ts";
