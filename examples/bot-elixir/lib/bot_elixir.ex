defmodule BotElixir do
  @moduledoc "Um bot pequeno: a cada poucos segundos escreve uma linha nos logs, até alguém pedir que pare."

  use Application

  @impl true
  def start(_type, _args) do
    IO.puts("Bot no ar: Elixir #{System.version()}")
    Supervisor.start_link([BotElixir.Ticker], strategy: :one_for_one)
  end

  # SIGTERM é como o Tijolo pede para parar: a máquina virtual encerra as aplicações e termina com código 0.
  @impl true
  def stop(_state), do: IO.puts("Até logo")
end
