import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Um site pequeno: uma página, um endereço de saúde, e um fim educado. */
public final class Main {
    private static final AtomicInteger visits = new AtomicInteger();

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        HttpServer server = HttpServer.create(new InetSocketAddress("0.0.0.0", port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", Main::answer);
        server.start();
        System.out.println("Site no ar na porta " + port);

        // SIGTERM é como o Tijolo pede para parar: quem está sendo atendido tem um segundo para terminar.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("Fechando o site");
            server.stop(1);
        }));
    }

    private static void answer(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/" -> {
                int count = visits.incrementAndGet();
                System.out.println("visita " + count);
                send(exchange, 200, "text/html", """
                    <!doctype html>
                    <html lang="pt-BR">
                      <head><meta charset="utf-8"><title>Seu site está no ar</title></head>
                      <body>
                        <h1>Seu site está no ar</h1>
                        <p>Visitas: %d. Java %s.</p>
                      </body>
                    </html>
                    """.formatted(count, Runtime.version()));
            }
            case "/saude" -> send(exchange, 200, "application/json", "{\"ok\": true}\n");
            default -> send(exchange, 404, "text/plain", "Esta página não existe.\n");
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        try (exchange; var stream = exchange.getResponseBody()) {
            stream.write(body);
        }
    }
}
