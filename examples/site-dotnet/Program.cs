// Um site pequeno: uma página, um endereço de saúde, e um fim educado (o próprio servidor trata o SIGTERM).

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseUrls($"http://0.0.0.0:{Environment.GetEnvironmentVariable("PORT") ?? "8080"}");
var app = builder.Build();
var visits = 0;

app.MapGet("/", () =>
{
    var count = Interlocked.Increment(ref visits);
    app.Logger.LogInformation("visita {Count}", count);
    return Results.Content($"""
        <!doctype html>
        <html lang="pt-BR">
          <head><meta charset="utf-8"><title>Seu site está no ar</title></head>
          <body>
            <h1>Seu site está no ar</h1>
            <p>Visitas: {count}. .NET {Environment.Version}.</p>
          </body>
        </html>
        """, "text/html; charset=utf-8");
});
app.MapGet("/saude", () => new { ok = true });

app.Run();
