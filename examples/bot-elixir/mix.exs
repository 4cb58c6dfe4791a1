defmodule BotElixir.MixProject do
  use Mix.Project

  def project do
    [app: :bot_elixir, version: "1.0.0", elixir: "~> 1.18"]
  end

  def application do
    [mod: {BotElixir, []}, extra_applications: [:logger]]
  end
end
