/** Rows of the interface specification: "States and transitions". */

export const statesRows = {
  "status.creating": "`creating` | the .zip arrived and is being extracted",
  "status.installing": "`installing` | dependencies are installed and the build runs",
  "status.running": "`running` | the process is up",
  "status.stopped": "`stopped` | stopped by the user, ended with code 0, or installed without being started",
  "status.restarting": "`restarting` | crashed and will come back by itself, or is restarting on request",
  "status.crash_loop": "`crash_loop` | crashed 5 times in a row and stopped trying",
  "status.error": "`error` | install or start failed, or the process crashed on the Free plan",
  "transition.new_without_start":
    "(new project) | upload without `start=true` | install succeeds | `stopped` | nothing starts unless requested; a new project starts only with `start=true` on the upload",
  "transition.new_with_start": "(new project) | upload with `start=true` | install succeeds | `running`",
  "transition.extracted": "`creating` | extraction done |  | `installing`",
  "transition.install_fails":
    "`installing` | install or build fails |  | `error` | `error.code` is one of the `install_*` codes",
  "transition.new_code":
    "`running` | new code uploaded | project was on | `running` (back up with the new code by itself)",
  "transition.stop": "`running` | stop |  | `stopped`",
  "transition.restart": "`running` | restart |  | `restarting`",
  "transition.ends_with_0": "`running` | process ends with code 0 |  | `stopped`",
  "transition.crash_paid":
    "`running` | process crashes | paid plan (auto restart) | `restarting` | `consecutiveCrashes` increases",
  "transition.crash_free":
    "`running` | process crashes | Free plan | `error` | `error.code` = `process_exited`",
  "transition.crash_loop":
    "`restarting` | 5 crashes in a row |  | `crash_loop` | `error.code` = `crash_loop`",
  "transition.comes_back":
    "`restarting` | process comes back |  | returns by itself (target status not named)",
  "transition.busy":
    "`creating`, `installing` | start, stop or restart requested |  | unchanged | 409 `project_busy`",
  "transition.install_pending":
    "any | start requested after failed install |  | unchanged | 409 `install_pending`",
  "transition.crash_count":
    "`consecutiveCrashes` counts crashes since the last time the process ran 60 seconds without crashing.",
};
