defmodule BotElixir.Ticker do
  @moduledoc "Conta os tiques."

  use GenServer

  def start_link(_options), do: GenServer.start_link(__MODULE__, 0)

  @impl true
  def init(ticks) do
    wait()
    {:ok, ticks}
  end

  @impl true
  def handle_info(:tick, ticks) do
    IO.puts("tique #{ticks + 1}")
    wait()
    {:noreply, ticks + 1}
  end

  defp wait do
    seconds = System.get_env("TICK_SECONDS", "5") |> String.to_integer()
    Process.send_after(self(), :tick, seconds * 1000)
  end
end
