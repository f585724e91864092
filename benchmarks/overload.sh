#!/bin/sh
# Offers the gateway several times what it can store; --help says how.
set -eu
. "$(dirname "$0")/built.sh"

exec java -Xmx128m -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.overload.Overload \
    --distribution "$root/deploy/target/talos-gateway" "$@"
