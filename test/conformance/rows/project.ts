/** Rows of the interface specification: "Resources and their fields". */

export const projectRows = {
  "project.id": "`id` | string, 26 chars | project id",
  "project.name": "`name` | string, max 40 | project name",
  "project.description": '`description` | string, max 200 | panel description; `""` when none',
  "project.type": "`type` | string enum `bot`, `site` | kind of project",
  "project.language":
    "`language` | string enum `node`, `python`, `java`, `go`, `php`, `ruby`, `dotnet`, `elixir`, `static` | runtime",
  "project.version": '`version` | string | runtime version (table below); `""` for `static`',
  "project.entry": "`entry` | string or null | main file the command runs, relative to the project root",
  "project.command": '`command` | string | start command; `""` for `static`',
  "project.installCommand":
    '`installCommand` | string or null | install command; null means automatic install of the language; `""` means install nothing; text replaces the automatic one; null for `static`',
  "project.root":
    '`root` | string or null | `static` only: served folder relative to project root (`""` = the root); null for other languages',
  "project.systemPackages":
    "`systemPackages` | array of string enum | system packages, in list order; `[]` for none and always for `static`",
  "project.memoryMb": "`memoryMb` | integer | reserved memory in MB; also the process ceiling",
  "project.port":
    "`port` | integer or null | site only: port the app listens on (also passed in the `PORT` variable); null for bots",
  "project.subdomain": "`subdomain` | string or null | site only: name under the site domain; null for bots",
  "project.url": "`url` | string (uri) or null | site only: public HTTPS address; null for bots",
  "project.internalHost":
    "`internalHost` | string, pattern `^svc-[0-9a-z]{8}$` | fixed internal name: `svc-` plus the last 8 characters of `id`, lowercase. Other projects of the same account reach this project by it on any port it listens on while it is running. Other accounts cannot resolve or reach it. Not a public address",
  "project.status": "`status` | enum (see States) | current status",
  "project.error": "`error` | object or null | reason, when `status` is `error` or `crash_loop`",
  "project.hasAutoRestart":
    "`hasAutoRestart` | boolean | true on paid plans: the project comes back by itself after a crash",
  "project.consecutiveCrashes":
    "`consecutiveCrashes` | integer | crashes in a row since the last time it ran 60 seconds without crashing; at 5 the project goes to `crash_loop`",
  "project.lastExit": "`lastExit` | object or null | last time the process ended",
  "project.usage": "`usage` | object or null | current usage; only when `status` is `running`",
  "project.startedAt": "`startedAt` | date-time or null | when the process came up; only when `running`",
  "project.templateId":
    "`templateId` | string or null | template the project was created from; null for a .zip or repository import, and back to null when the code is replaced by another .zip or import. While set, the project starts only with the template's required variables (otherwise error `missing_variables`)",
  "project.restoredFromBackupId":
    "`restoredFromBackupId` | string (uuid) or null | backup the project was created from through restore-as-new; null otherwise",
  "project.createdAt": "`createdAt` | date-time | creation time",
  "project.updatedAt": "`updatedAt` | date-time | last update time",
  "project.fields_present": "All fields below are always present in a project response.",
  "project_error.code":
    "`code` | enum `install_failed`, `install_timeout`, `install_out_of_memory`, `install_interrupted`, `start_failed`, `system_packages_failed`, `process_exited`, `crash_loop` | reason the project is not up",
  "project_error.message": "`message` | string | explanation in Portuguese",
  "last_exit.code": "`code` | integer | process exit code",
  "last_exit.isOutOfMemory": "`isOutOfMemory` | boolean | true if the process exceeded the project memory",
  "last_exit.exitedAt": "`exitedAt` | date-time | when it ended",
  "usage.memoryMb": "`memoryMb` | integer | memory in use, MB",
  "usage.cpuPercent": "`cpuPercent` | number | processor use; 100 = one full core",
  "usage.networkInBps": "`networkInBps` | integer | bytes per second received",
  "usage.networkOutBps": "`networkOutBps` | integer | bytes per second sent",
};
