#!/bin/dash
# First process of a container, run by the shell of the tools tree. Waits for the supervisor, runs the command and ends with its code.
# In /run/tijolo/run: the fifos stdout, stderr, go, code, and `environment` (export lines, then `set -- <command>`).
cd /app || exit 127
exec > /run/tijolo/run/stdout 2> /run/tijolo/run/stderr

unset container container_uuid container_host_id container_host_version_id container_host_build_id container_host_variant_id
unset NOTIFY_SOCKET HOME USER LOGNAME SHELL TERM LANG PATH OLDPWD
. /run/tijolo/run/environment

# From here on the agent takes the program as started.
echo ready > /run/tijolo/run/code
read -r _ < /run/tijolo/run/go

# In the foreground, so that the program starts with no signal ignored. The agent sends SIGTERM to it, not to this process.
# npm and pnpm hand the signal on to the shell of a script, where bash makes way for the program and dash would not.
[ -x /bin/bash ] && command -v npm > /dev/null && export npm_config_script_shell="${npm_config_script_shell-/bin/bash}"
# What this shell says itself (`Terminated`) is not for the project's log.
exec 3>&2 2> /dev/null
(
  echo 600 > /proc/self/oom_score_adj
  exec /bin/sh -c "$1" 2>&3 3>&-
)
code=$?
[ "$code" -eq 133 ] && echo 133 > /run/tijolo/run/code
exit "$code"
