/** Defines the field `onFailure` of a project's settings. */

/**
 * Choices for new code that does not come up: `return` starts the version before it again, `keep` goes on
 * with the new one, by the restart policy.
 */
export const onFailureChoices = ["return", "keep"] as const;
export type OnFailure = (typeof onFailureChoices)[number];

/** Choice of a project that names none. */
export const defaultOnFailure: OnFailure = "return";
