/**
 * A server of the same HTTP library as central's that answers `/api/projects/{id}` with given bytes and does
 * nothing else; with a store, a PATCH also writes to that.
 */

import fastify from "fastify";
import { openStore, type StoreOptions } from "./bare-store.ts";

interface Answer {
  body: string;
  headers: Record<string, string>;
  store: StoreOptions | null;
}

process.once("message", async ({ body, headers, store }: Answer) => {
  const server = fastify({ logger: false });
  const save = store === null ? undefined : openStore(store);
  const {
    "content-length": _length,
    "transfer-encoding": _encoding,
    connection: _connection,
    "keep-alive": _keepAlive,
    date: _date,
    ...sent
  } = headers;
  server.get("/api/projects/:id", (_request, reply) => void reply.headers(sent).send(body));
  server.patch("/api/projects/:id", async (request, reply) => {
    await save?.({ id: (request.params as { id: string }).id, text: JSON.stringify(request.body) });
    return reply.headers(sent).send(body);
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const address = server.server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
