# frozen_string_literal: true

# Um site pequeno, só com a biblioteca padrão: uma página, um endereço de saúde, e um fim educado.

require "socket"

$stdout.sync = true

PAGE = <<~HTML
  <!doctype html>
  <html lang="pt-BR">
    <head><meta charset="utf-8"><title>Seu site está no ar</title></head>
    <body>
      <h1>Seu site está no ar</h1>
      <p>Visitas: %<visits>d. Ruby %<version>s.</p>
    </body>
  </html>
HTML

# Como em Rack, a aplicação recebe o pedido e devolve status, cabeçalhos e corpo.
class Site
  def initialize
    @visits = 0
    @lock = Mutex.new
  end

  def call(path)
    case path
    when "/"
      visits = @lock.synchronize { @visits += 1 }
      puts "visita #{visits}"
      [200, { "content-type" => "text/html; charset=utf-8" }, format(PAGE, visits: visits, version: RUBY_VERSION)]
    when "/saude"
      [200, { "content-type" => "application/json" }, %({"ok": true}\n)]
    else
      [404, { "content-type" => "text/plain; charset=utf-8" }, "Esta página não existe.\n"]
    end
  end
end

def answer(client, site)
  _method, target, = client.gets&.split
  return if target.nil?

  nil until [nil, "\r\n", "\n"].include?(client.gets)
  status, headers, body = site.call(target.split("?").first)
  headers = headers.merge("content-length" => body.bytesize, "connection" => "close")
  client.write("HTTP/1.1 #{status} \r\n", headers.map { |name, value| "#{name}: #{value}\r\n" }.join, "\r\n", body)
rescue SystemCallError => error
  warn "um visitante foi embora: #{error.message}"
ensure
  client.close
end

port = Integer(ENV.fetch("PORT", "8080"))
server = TCPServer.new("0.0.0.0", port)
site = Site.new
puts "Site no ar na porta #{port}"

# SIGTERM é como o Tijolo pede para parar.
Signal.trap("TERM") { Thread.new { server.close } }

begin
  loop { Thread.new(server.accept) { |client| answer(client, site) } }
rescue IOError, Errno::EBADF
  puts "Fechando o site"
end
