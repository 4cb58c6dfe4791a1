"""Um site pequeno em WSGI, só com a biblioteca padrão: uma página, um endereço de saúde, e um fim educado."""

import html
import os
import platform
import signal
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

visits = 0
lock = threading.Lock()

PAGE = """<!doctype html>
<html lang="pt-BR">
  <head><meta charset="utf-8"><title>Seu site está no ar</title></head>
  <body>
    <h1>Seu site está no ar</h1>
    <p>Visitas: {visits}. Python {version}. Você pediu <code>{path}</code>.</p>
  </body>
</html>
"""


def application(environ, start_response):
    """O que Flask e Django também são por dentro: troque por `app` deles e o resto fica igual."""
    path = environ["PATH_INFO"]
    if path == "/saude":
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b'{"ok": true}']
    if path != "/":
        start_response("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
        return ["Esta página não existe.\n".encode()]
    global visits
    with lock:
        visits += 1
        page = PAGE.format(visits=visits, version=platform.python_version(), path=html.escape(path))
    print(f"visita {visits}")
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [page.encode()]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        """Cada visita já escreve a sua linha."""


def main() -> None:
    host, port = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8080"))
    server = make_server(host, port, application, server_class=Server, handler_class=QuietHandler)

    def close(*_) -> None:
        print("Fechando o site")
        threading.Thread(target=server.shutdown).start()

    # SIGTERM é como o Tijolo pede para parar.
    signal.signal(signal.SIGTERM, close)
    print(f"Site no ar na porta {port}")
    server.serve_forever()


if __name__ == "__main__":
    main()
