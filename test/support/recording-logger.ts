/** Records the entries that it was given. */

export class RecordingLogger {
  readonly entries: { level: "info" | "warn" | "error"; fields: Record<string, unknown>; message: string }[] =
    [];

  info(fields: object, message: string): void {
    this.entries.push({ level: "info", fields: { ...fields }, message });
  }

  warn(fields: object, message: string): void {
    this.entries.push({ level: "warn", fields: { ...fields }, message });
  }

  error(fields: object, message: string): void {
    this.entries.push({ level: "error", fields: { ...fields }, message });
  }

  has(text: string): boolean {
    return this.entries.some(({ message, fields }) => `${message} ${JSON.stringify(fields)}`.includes(text));
  }
}
