/**
 * The keys by which central seals what it keeps for others, as an operator sees them: by name, never the keys
 * themselves.
 */

/** Where central has them from; `own`: a file that it made itself. */
export type MasterKeySource = "credentials" | "environment" | "file" | "own";

export interface MasterKeyStatus {
  source: MasterKeySource;
  /** Null when central has none: its file was lost. */
  currentKeyId: string | null;
  /**
   * Those that central has, the current one first, and after them those that it lacks although something is
   * sealed by them.
   */
  keys: { id: string; isKnown: boolean; documents: number }[];
}

export interface MasterKeyRotated extends MasterKeyStatus {
  /** Documents that moved to the current key. */
  resealed: number;
  /** Documents that could not be opened and stay as they are. */
  unreadable: number;
  /** Keys that nothing needs any more: whoever hands them in may leave them out from now on. */
  removable: string[];
}
