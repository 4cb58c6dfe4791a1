/** Has machines prepare images, and keeps what each of them says of it. */

import type { CallInput, ImagePullEvent } from "@tijolo/protocol/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { pullImages } from "../../api/call-confirmed.ts";
import { refresh } from "../../api/use-read.ts";

export type HostPullEvent = Exclude<ImagePullEvent, { event: "pull-ended" }>;

export interface Pull {
  /** The newest event of each image on each machine, in the order in which they began. */
  events: ReadonlyMap<string, HostPullEvent>;
  state: "none" | "running" | "ended" | "cut-off";
  /** Machines that were asked; known at the end. */
  hosts: number | null;
  error: Error | null;
  start: (body: CallInput<"pullImages">["body"]) => void;
  stop: () => void;
}

const noPull = { events: new Map<string, HostPullEvent>(), state: "none", hosts: null, error: null } as const;

export function usePull(): Pull {
  const [pull, setPull] = useState<Omit<Pull, "start" | "stop">>(noPull);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setPull(noPull);
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback<Pull["start"]>((body) => {
    running.current?.abort();
    const end = new AbortController();
    running.current = end;
    setPull({ ...noPull, state: "running" });
    const take = (event: ImagePullEvent) => setPull((known) => withEvent(known, event));
    pullImages(body, end.signal, take).then(
      () => {
        if (end.signal.aborted) return;
        // A stream without its last event was cut off.
        setPull((known) => (known.state === "running" ? { ...known, state: "cut-off" } : known));
        void refresh("listImages");
      },
      (cause: unknown) => {
        if (end.signal.aborted) return;
        const error = cause instanceof Error ? cause : new Error(String(cause));
        setPull((known) => ({ ...known, state: known.events.size === 0 ? "none" : "cut-off", error }));
      },
    );
  }, []);
  return { ...pull, start, stop };
}

function withEvent<Known extends Pick<Pull, "events" | "state" | "hosts">>(
  known: Known,
  event: ImagePullEvent,
): Known {
  if (event.event === "pull-ended") return { ...known, state: "ended", hosts: event.data.hosts };
  const image = "image" in event.data ? JSON.stringify(event.data.image) : "";
  return { ...known, events: new Map(known.events).set(`${event.data.host.id} ${image}`, event) };
}
