"""Um bot pequeno: a cada poucos segundos escreve uma linha nos logs, até alguém pedir que pare."""

import os
import platform
import signal
import threading


def main() -> None:
    interval_seconds = float(os.environ.get("TICK_SECONDS", "5"))
    stopping = threading.Event()
    # SIGTERM é como o Tijolo pede para parar.
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())

    print(f"Bot no ar: Python {platform.python_version()}, um tique a cada {interval_seconds:g} s", flush=True)
    ticks = 0
    while not stopping.wait(interval_seconds):
        ticks += 1
        print(f"tique {ticks}", flush=True)
    print(f"Até logo, depois de {ticks} tiques", flush=True)


if __name__ == "__main__":
    main()
