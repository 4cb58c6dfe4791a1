/** Node's flags for each program. */

const quiet = ["--disable-warning=ExperimentalWarning"];

export const nodeFlags = {
  central: quiet,
  gateway: quiet,
  /**
   * Flags of the agent, which shares its machine with the projects: some processor time for garbage
   * collection saves a third of its memory. It trusts the authorities that the machine trusts, as its
   * containers do: an operator's own among them.
   */
  agent: [...quiet, "--max-semi-space-size=2", "--v8-pool-size=1", "--use-system-ca"],
} as const satisfies Record<string, readonly string[]>;
