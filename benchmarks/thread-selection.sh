#!/bin/sh
# Compares pools that choose a thread by hash or by load; --help says how.
set -eu
. "$(dirname "$0")/built.sh"

exec java -Xmx1g -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.selection.ThreadSelection "$@"
