/** Holds the short messages on show. Anything may tell one; `Toasts` shows them. */

export type ToastTone = "ok" | "info" | "warn" | "bad";

export interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
}

/** At most this many stand at once; the oldest goes first. */
const MOST = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a message. The page itself must say the same: a toast never carries the only word. */
export function tell({ tone, text }: { tone: ToastTone; text: string }): void {
  const others = toasts.filter((toast) => toast.text !== text);
  lastId += 1;
  set([...others, { id: lastId, tone, text }].slice(-MOST));
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
