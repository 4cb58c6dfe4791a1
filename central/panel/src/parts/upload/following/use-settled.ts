/** Says when a run may be believed: a program that falls at once was never on the air. */

import { useEffect, useState } from "react";
import type { Project } from "../use-upload.ts";

/** Milliseconds for which a bot stays up before it counts as on the air; most that fall do so before. */
const botMs = 1_500;
/** The same for one that has fallen before. */
const fallenMs = 10_000;
/** Milliseconds that a site has to listen on its port before its silence is told. */
const silentMs = 12_000;

interface Run extends Pick<Project, "status" | "startedAt" | "port" | "consecutiveCrashes"> {
  /** A site that runs and does not listen on its port yet. */
  isSilent: boolean;
}

/** True once the run has been as it is, up or silent, for as long as that takes to be believed. */
export function useSettled(run: Run): boolean {
  const key = run.status === "running" ? `${run.startedAt} ${run.isSilent}` : null;
  const ms = patienceOf(run);
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return undefined;
    const timer = setTimeout(() => setSettled(key), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return key !== null && (settled === key || ms === 0);
}

function patienceOf({ port, consecutiveCrashes, isSilent }: Run): number {
  if (isSilent) return silentMs;
  if (consecutiveCrashes > 0) return fallenMs;
  // That a site answers is sign enough.
  return port === null ? botMs : 0;
}
