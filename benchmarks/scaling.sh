#!/bin/sh
# Works out what a cluster of a thousand hosts costs when hosts come and go; --help says how.
set -eu
. "$(dirname "$0")/built.sh"

exec java -Xmx2g -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.scaling.Scaling "$@"
