import { ApiError, ConnectionError, type Client } from "@tijolo/protocol";

/**
 * Returns the newest version that a project's log has lines of, 0 before the first; null when the log cannot
 * be read now.
 */
export async function findLoggedVersion(
  client: Client,
  projectId: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const { lines } = await client.streamLogs.page({ id: projectId, query: { lines: 1 } }, { signal });
    return lines.at(-1)?.version ?? 0;
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof ConnectionError) return null;
    throw cause;
  }
}
