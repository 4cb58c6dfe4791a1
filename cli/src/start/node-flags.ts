/** How Node is started for each program. */

const quiet = ["--disable-warning=ExperimentalWarning"];

export const nodeFlags = {
  central: quiet,
  /** It shares its machine with the projects: some processor time for garbage collection saves a third of its memory. */
  agent: [...quiet, "--max-semi-space-size=2", "--v8-pool-size=1"],
} as const satisfies Record<string, readonly string[]>;
