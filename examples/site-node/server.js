// Um site pequeno: uma página, um endereço de saúde, e um fim educado.

import { createServer } from "node:http";
import { page } from "./page.js";

const port = Number(process.env.PORT ?? 8080);
const startedAt = Date.now();
let visits = 0;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://site");
  if (pathname === "/saude") {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ok: true }));
    return;
  }
  if (pathname !== "/") {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
    response.end("Esta página não existe.\n");
    return;
  }
  visits += 1;
  console.log(`visita ${visits}`);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(page({ visits, upSeconds: Math.round((Date.now() - startedAt) / 1000), nodeVersion: process.version }));
});

server.listen(port, () => console.log(`Site no ar na porta ${port}`));

// SIGTERM é como o Tijolo pede para parar: quem está sendo atendido termina, ninguém novo entra.
process.once("SIGTERM", () => {
  console.log("Fechando o site");
  server.close();
  server.closeIdleConnections();
});
