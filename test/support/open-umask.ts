/** The umask of an ordinary shell, for files that somebody else than the agent would have made. */

/** Runs `work` while this process makes files that all may read. Nothing of the agent may run beside it. */
export async function underOpenUmask<Result>(work: () => Promise<Result>): Promise<Result> {
  const earlier = process.umask(0o022);
  try {
    return await work();
  } finally {
    process.umask(earlier);
  }
}
