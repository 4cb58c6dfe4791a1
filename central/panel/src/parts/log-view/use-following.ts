/** Keeps the end of a log in sight until the person scrolls up, and counts what came since. */

import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { LogEntry } from "../../live/log/log-buffer.ts";

/** Pixels from the end within which the log counts as followed. */
const atEndWithin = 24;

export interface Following {
  isFollowing: boolean;
  /** Entries below that came since it is not followed. */
  unseen: number;
  onScroll: () => void;
  toEnd: () => void;
  stop: () => void;
}

/** `size`: pixels of all rows. */
export function useFollowing(
  box: RefObject<HTMLDivElement | null>,
  entries: readonly LogEntry[],
  { size, isAtFirst }: { size: number; isAtFirst: boolean },
): Following {
  const [isFollowing, setFollowing] = useState(isAtFirst);
  const following = useRef(isAtFirst);
  const scrolledTo = useRef(0);
  const seenKey = useRef<number | null>(null);
  const newest = entries.at(-1)?.key ?? null;
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || !following.current) return;
    current.scrollTop = current.scrollHeight;
    scrolledTo.current = current.scrollTop;
    seenKey.current = newest;
  }, [box, newest, size]);
  const follow = (isOn: boolean) => {
    following.current = isOn;
    setFollowing(isOn);
  };
  const onScroll = () => {
    const { current } = box;
    if (current === null) return;
    const { scrollTop, clientHeight, scrollHeight } = current;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - atEndWithin;
    const isUpwards = scrollTop < scrolledTo.current;
    scrolledTo.current = scrollTop;
    if (isAtEnd && !following.current) follow(true);
    else if (!isAtEnd && isUpwards && following.current) follow(false);
  };
  const toEnd = () => {
    follow(true);
    box.current?.scrollTo({ top: box.current.scrollHeight });
    box.current?.focus({ preventScroll: true });
  };
  return {
    isFollowing,
    unseen: isFollowing ? 0 : countAfter(entries, seenKey.current),
    onScroll,
    toEnd,
    stop: () => follow(false),
  };
}

function countAfter(entries: readonly LogEntry[], key: number | null): number {
  if (key === null) return 0;
  let count = 0;
  while (count < entries.length && (entries[entries.length - 1 - count]?.key ?? key) > key) count++;
  return count;
}
