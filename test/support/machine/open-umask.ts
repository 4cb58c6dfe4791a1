/** Sets the umask of an ordinary shell, for files that another program than the agent would have made. */

/** Runs `work` while this process makes files that all may read. The agent must not run at the same time. */
export async function underOpenUmask<Result>(work: () => Promise<Result>): Promise<Result> {
  const earlier = process.umask(0o022);
  try {
    return await work();
  } finally {
    process.umask(earlier);
  }
}
