#!/bin/sh
# php-server [FRONT_CONTROLLER]
#
# Serves the PHP site in the current folder on $PORT: lighttpd in front of php-cgi, or PHP's own development server in images without them.
# The folder of the front controller is the document root; what is no file there goes to the front controller. Without one:
# public/index.php or web/index.php where it exists, otherwise the project's root and its index.php.
# $PHP_SERVER_WORKERS is how many requests are answered at a time; PHP reads more settings from php.ini in the current folder.
set -eu

front=${1:-}
if [ -z "$front" ]; then
  for front in public/index.php web/index.php index.php; do
    [ -f "$front" ] && break
  done
fi
[ -f "$front" ] || {
  echo "php-server: $front was not found" >&2
  exit 66
}
root=$(cd "$(dirname "$front")" && pwd)
PHP_SERVER_FRONT=/$(basename "$front")
export PHP_SERVER_FRONT
workers=${PHP_SERVER_WORKERS:-4}
case $workers in '' | 0 | *[!0-9]*) workers=4 ;; esac

php=$(command -v php-cgi || true)
if [ -z "$php" ] || ! [ -f /usr/lib/lighttpd/mod_magnet.so ]; then
  PHP_CLI_SERVER_WORKERS=$workers exec php -S "0.0.0.0:$PORT" -t "$root"
fi

# /tmp is small and in memory; sessions outlive a restart here, and uploads count as the project's own files.
state=$HOME/.php-server
rm -rf "$state/uploads"
mkdir -p "$state/uploads" "$state/sessions"
export PHP_INI_SCAN_DIR="${PHP_INI_SCAN_DIR:-}:$state/settings"
mkdir -p "$state/settings"
rm -f "$state/settings/"*
cat > "$state/settings/10-server.ini" << END
variables_order = EGPCS
display_errors = Off
log_errors = On
error_log = /dev/stderr
expose_php = Off
post_max_size = 256M
upload_max_filesize = 256M
upload_tmp_dir = "$state/uploads"
session.save_path = "$state/sessions"
session.gc_probability = 1
END
[ -f php.ini ] && cp php.ini "$state/settings/90-project.ini"

quoted() { printf %s "$1" | sed 's/["\\]/\\&/g'; }
configuration=$(mktemp /tmp/php-server.XXXXXX)
cat > "$configuration" << END
server.modules = ("mod_extforward", "mod_magnet", "mod_fastcgi")
# The gateway says who the visitor is and whether the page is asked for by https; what visitors say of that themselves it takes away.
extforward.forwarder = ("all" => "trust")
extforward.headers = ("X-Forwarded-For")
server.bind = "0.0.0.0"
server.port = $PORT
server.document-root = "$(quoted "$root")"
server.upload-dirs = ("$(quoted "$state/uploads")")
server.max-request-size = 262144
server.stream-response-body = 1
server.tag = ""
server.feature-flags = ("server.graceful-shutdown-timeout" => 8)
index-file.names = ("index.php", "index.html")
static-file.exclude-extensions = (".php", ".phtml")
include_shell "/usr/share/lighttpd/create-mime.conf.pl"
magnet.attract-physical-path-to = ("/usr/local/lib/php-server.lua")
fastcgi.server = (".php" => ((
  "bin-path" => "$php",
  "socket" => "/tmp/php-server.socket",
  "max-procs" => 1,
  "bin-environment" => ("PHP_FCGI_CHILDREN" => "$workers", "PHP_FCGI_MAX_REQUESTS" => "1000")
)))
END

# SIGTERM ends the site once those who are being answered have their answer: lighttpd does so by SIGINT.
lighttpd -D -f "$configuration" &
server=$!
stopping=
trap 'stopping=yes; kill -INT "$server" 2> /dev/null || true' TERM INT
echo "php-server: listening on port $PORT"
# A signal interrupts the wait before the server has ended.
while :; do
  wait "$server" && code=0 || code=$?
  kill -0 "$server" 2> /dev/null || break
done
[ -z "$stopping" ] || code=0
exit "$code"
