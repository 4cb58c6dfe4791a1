/** Serves pages of plain HTML: what a browser costs without any panel. */

import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** What stands where the panel's list has its projects. */
const listPage = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>bare</title>
<style>body{font-family:system-ui;margin:2rem}li{padding:.5rem}</style>
<h1>Projetos</h1><button id="press">press</button><ul>${"<li>bot: no ar, 64 MB</li>".repeat(20)}</ul>
<p id="answer"></p><script>press.onclick=()=>{answer.textContent="pressed "+performance.now()}</script></html>`;

/** Makes 5,000 lines a second, as text in one element, the newest 1,000 of them. */
const logPage = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>bare log</title>
<pre id="log" style="height:600px;overflow:auto"></pre><script>
let lines=[],count=0;
setInterval(()=>{for(let i=0;i<250;i++)lines.push("line "+(++count)+" a line as a bot writes it");
lines=lines.slice(-1000);log.textContent=lines.join("\\n");log.scrollTop=log.scrollHeight},50);
</script></html>`;

export class BarePages implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(request.url === "/log" ? logPage : listPage);
  });
  url = "";

  static async create(): Promise<BarePages> {
    const pages = new BarePages();
    pages.#server.listen(0, "127.0.0.1");
    await once(pages.#server, "listening");
    pages.url = `http://127.0.0.1:${(pages.#server.address() as AddressInfo).port}`;
    return pages;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
