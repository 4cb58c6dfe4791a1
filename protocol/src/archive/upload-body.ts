/** Makes a `multipart/form-data` body whose file is streamed, never whole in memory. */

/** The archive of an upload: a Blob (browsers), or its bytes as they arrive. */
export type UploadFile = Blob | { name: string; bytes: AsyncIterable<Uint8Array> };

export interface UploadBody {
  body: FormData | ReadableStream<Uint8Array>;
  /** Headers to send along; a FormData brings its own content type. */
  headers: Record<string, string>;
}

/** Makes the body. Text fields come before the file, so that the receiver has them when bytes arrive. */
export function makeUploadBody(fields: ReadonlyMap<string, string>, file: UploadFile): UploadBody {
  if (file instanceof Blob) {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    form.append("file", file);
    return { body: form, headers: {} };
  }
  const boundary = `tijolo-${crypto.randomUUID()}`;
  const parts = writeParts(boundary, fields, file);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return();
    },
  });
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

async function* writeParts(
  boundary: string,
  fields: ReadonlyMap<string, string>,
  file: { name: string; bytes: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const [name, value] of fields) {
    yield encoder.encode(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`,
    );
  }
  const disposition = `content-disposition: form-data; name="file"; filename="${quote(file.name)}"`;
  yield encoder.encode(`--${boundary}\r\n${disposition}\r\ncontent-type: application/zip\r\n\r\n`);
  yield* file.bytes;
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}

/** Escapes names in a part's header as browsers do (HTML standard, "multipart form data"). */
function quote(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
