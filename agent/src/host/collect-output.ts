/** Collects the output of a process in bounded memory. */

const keptBytes = 1 << 20;

/**
 * Reads the stream to its end, and calls `onLine` with each complete line. Returns the function that returns
 * what was read last, 1 MiB at most.
 */
export function collectOutput(
  stream: NodeJS.ReadableStream,
  onLine: ((line: string) => void) | undefined,
): () => string {
  let kept = "";
  let partial = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    kept = (kept + chunk).slice(-keptBytes);
    if (onLine === undefined) return;
    const lines = (partial + chunk).split(/\r?\n/);
    partial = (lines.pop() ?? "").slice(-keptBytes);
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (partial !== "") onLine?.(partial);
  });
  return () => kept;
}
