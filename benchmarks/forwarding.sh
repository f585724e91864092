#!/bin/sh
# Compares puts to the owner of a partition with puts that another host hands on; --help says how.
set -eu
. "$(dirname "$0")/built.sh"

exec java -Xmx256m -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.forwarding.ForwardingCost "$@"
