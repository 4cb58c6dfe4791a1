/** A server of the same HTTP library as central's, which answers one path with given bytes and does nothing else. */

import fastify from "fastify";

interface Answer {
  path: string;
  body: string;
  headers: Record<string, string>;
}

process.once("message", async ({ path, body, headers }: Answer) => {
  const server = fastify({ logger: false });
  server.get(path, (_request, reply) => {
    void reply
      .header("content-type", headers["content-type"] ?? "")
      .header("x-request-id", headers["x-request-id"] ?? "")
      .send(body);
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const address = server.server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
