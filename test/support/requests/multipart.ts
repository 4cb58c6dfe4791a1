/** Writes multipart/form-data by hand, with any mistake that a test needs. */

export interface Part {
  name: string;
  /** File name; with it, the part declares itself a file. */
  fileName?: string;
  contentType?: string;
  content: string | Uint8Array;
}

export const boundary = "----tijolo-test-boundary";

export const multipartType = { "content-type": `multipart/form-data; boundary=${boundary}` };

export function multipart(
  parts: readonly Part[],
  { isEnded = true }: { isEnded?: boolean } = {},
): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(
    ({ name, fileName, contentType = fileName === undefined ? undefined : "application/zip", content }) => [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
      fileName === undefined ? "\r\n" : `; filename="${fileName}"\r\n`,
      contentType === undefined ? "\r\n" : `Content-Type: ${contentType}\r\n\r\n`,
      content,
      "\r\n",
    ],
  );
  return Buffer.concat(
    [...pieces, ...(isEnded ? [`--${boundary}--\r\n`] : [])].map((piece) => Buffer.from(piece as string)),
  );
}

/** Makes an ordinary upload: the file in its field, then the text fields. */
export function uploadBody(
  zip: Uint8Array,
  fields: Record<string, string> = {},
  fileName = "bot.zip",
): Buffer<ArrayBuffer> {
  const texts = Object.entries(fields).map(([name, content]) => ({ name, content }));
  return multipart([...texts, { name: "file", fileName, content: zip }]);
}
