/** Writes each backend twice: HAProxy decides by backend whether it compresses answers. */

const rules = `    filter compression
    compression algo gzip
    compression type text/html text/css text/plain text/javascript text/xml application/javascript application/json application/xml application/manifest+json image/svg+xml
`;

/** Returns the name of a way, or of its backend, whose answers of text are compressed. */
export function compressedName(name: string): string {
  return `${name}-zip`;
}

/** Returns what `write` makes of the name, and of the one whose backend has the rules that compress. */
export function withCompressed(name: string, write: (name: string, compressing: string) => string): string {
  return [write(name, ""), write(compressedName(name), rules)].join("\n");
}
