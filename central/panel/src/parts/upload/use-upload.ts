/** Sends an upload: how far it is, what was refused, and going on after a lost connection. */

import { ApiError, ConnectionError, type OperationAnswer } from "@tijolo/protocol/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { sendUpload } from "../../api/upload.ts";

export type Project = OperationAnswer<"getProject">["project"];

export type UploadState =
  | { kind: "idle" }
  | { kind: "sending"; doneBytes: number; totalBytes: number }
  /** Everything is sent; the server checks it. */
  | { kind: "checking"; totalBytes: number }
  /** No answer came: everything is kept, and `resume` goes on. */
  | { kind: "lost"; totalBytes: number }
  | { kind: "refused"; error: Error }
  | { kind: "sent" };

export interface UploadRequest {
  /** Null for a new project. */
  projectId: string | null;
  fields: Readonly<Record<string, string | number>>;
  blob: Blob;
}

export interface Upload {
  state: UploadState;
  /** True while it is on its way, or waits for the connection. */
  isUnderWay: boolean;
  send(request: UploadRequest): void;
  /**
   * Sends the same again: after a lost connection as the same upload, which the server knows; after a refusal
   * as another.
   */
  resume(): void;
  cancel(): void;
  /** Forgets a refusal, when the person changes what was refused. */
  clear(): void;
}

/** One upload as it is sent: the same bytes, fields and key in each try. */
interface Shipment extends UploadRequest {
  idempotencyKey: string;
}

export function useUpload(onSent: (project: Project) => void): Upload {
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const aborting = useRef<AbortController | null>(null);
  const shipment = useRef<Shipment | null>(null);
  const sent = useRef(onSent);
  sent.current = onSent;

  useEffect(() => () => aborting.current?.abort(), []);

  const run = useCallback(async (work: (signal: AbortSignal) => Promise<void>) => {
    aborting.current?.abort();
    const { signal } = (aborting.current = new AbortController());
    try {
      await work(signal);
    } catch (cause) {
      if (signal.aborted) return;
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const { current } = shipment;
      if (current !== null && isLost(error)) setState({ kind: "lost", totalBytes: current.blob.size });
      else {
        if (current !== null) shipment.current = { ...current, idempotencyKey: newKey() };
        setState({ kind: "refused", error });
      }
    }
  }, []);

  const ship = useCallback(async (signal: AbortSignal) => {
    const { current } = shipment;
    if (current === null) return;
    const project = await sendShipment(current, signal, setState);
    shipment.current = null;
    setState({ kind: "sent" });
    sent.current(project);
  }, []);

  const send = useCallback(
    (request: UploadRequest) => {
      shipment.current = { ...request, idempotencyKey: newKey() };
      void run(ship);
    },
    [run, ship],
  );

  return {
    state,
    isUnderWay: ["sending", "checking", "lost"].includes(state.kind),
    send,
    resume: useCallback(() => void run(ship), [run, ship]),
    cancel: useCallback(() => {
      aborting.current?.abort();
      setState({ kind: "idle" });
    }, []),
    clear: useCallback(() => setState((now) => (now.kind === "refused" ? { kind: "idle" } : now)), []),
  };
}

async function sendShipment(
  { projectId, fields, blob, idempotencyKey }: Shipment,
  signal: AbortSignal,
  setState: (state: UploadState) => void,
): Promise<Project> {
  setState({ kind: "sending", doneBytes: 0, totalBytes: blob.size });
  const options = {
    idempotencyKey,
    signal,
    onProgress: (doneBytes: number, totalBytes: number) =>
      setState(
        doneBytes < totalBytes
          ? { kind: "sending", doneBytes, totalBytes }
          : { kind: "checking", totalBytes },
      ),
  };
  const answer =
    projectId === null
      ? await sendUpload("createProject", { fields, file: blob }, options)
      : await sendUpload("uploadCode", { id: projectId, fields, file: blob }, options);
  return answer.project;
}

/** 32 hexadecimal digits. `crypto.randomUUID` is missing on a page without HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** No answer, or one that says nothing of the upload itself, as from a proxy whose server is away. */
function isLost(error: Error): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && error.code === "unexpected_answer")
  );
}
