#!/bin/sh
# Runs the micro-benchmarks; arguments go to JMH: a pattern of names, -prof gc, -p size=10240, -h for help.
set -eu
. "$(dirname "$0")/built.sh"

exec java -cp "$built/lib/*" org.openjdk.jmh.Main "$@"
