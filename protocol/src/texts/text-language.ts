/** The languages that every text for a person has. */
export type TextLanguage = "pt" | "en";
