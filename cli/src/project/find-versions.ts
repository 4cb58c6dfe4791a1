import { ApiError, type Client, type Version } from "@tijolo/protocol";

/** Returns the versions, newest first; null for a key that may not read them. */
export async function findVersions(
  client: Client,
  projectId: string,
  signal: AbortSignal,
): Promise<readonly Version[] | null> {
  try {
    return (await client.listVersions({ id: projectId }, { signal })).versions;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 403) return null;
    throw cause;
  }
}
