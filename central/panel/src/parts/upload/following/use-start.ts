/** Starts what an upload has installed, with the variables that came with it. */

import { useCallback, useEffect, useRef } from "react";
import { useAction } from "../../../api/use-action.ts";
import type { Project } from "../use-upload.ts";

export type VariablesToStore = Readonly<Record<string, string>>;

/**
 * Stores the variables and starts what is installed, once; a person may do it again. `variables`: null when the
 * upload starts by itself. A project that was on takes the new code by itself, and is restarted for variables.
 */
export function useStart(project: Project, variables: VariablesToStore | null) {
  const starting = useAction("startProject", { refreshes: ["getProject"] });
  const restarting = useAction("restartProject", { refreshes: ["getProject"] });
  const storing = useAction("changeVariables", { refreshes: ["listVariables"] });
  const hasVariables = Object.keys(variables ?? {}).length > 0;
  const hasStored = useRef(!hasVariables);
  const hasBegun = useRef(variables === null);
  const { id, status } = project;
  const { run: start } = starting;
  const { run: restart } = restarting;
  const { run: store } = storing;
  const isOn = status === "running" || status === "restarting";
  const run = useCallback(async () => {
    hasStored.current ||= await store({ id, body: { variables: { ...variables } } });
    if (hasStored.current) await (isOn ? restart({ id }) : start({ id }));
  }, [id, variables, isOn, store, start, restart]);
  useEffect(() => {
    if (hasBegun.current || !(status === "stopped" || isOn)) return;
    hasBegun.current = true;
    if (!isOn || hasVariables) void run();
  }, [status, isOn, hasVariables, run]);
  return {
    run,
    isRunning: storing.isRunning || starting.isRunning || restarting.isRunning,
    error: storing.error ?? starting.error ?? restarting.error,
    isOfVariables: storing.error !== null,
  };
}
