#!/bin/sh
# Compares the gateway with the "ideal gateway"; --help says how. Builds both first, without running the tests.
set -eu
. "$(dirname "$0")/built.sh"

exec java -Xmx256m -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.ideal.IdealComparison \
    --distribution "$root/deploy/target/talos-gateway" --benchmarks "$built" "$@"
