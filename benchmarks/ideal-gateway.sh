#!/bin/sh
# Compares the gateway with the "ideal gateway"; --help says how. Builds both first, without running the tests.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
for tool in java mvn; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "ideal-gateway.sh: '$tool' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed" >&2
        exit 1
    fi
done

built=$root/benchmarks/target/benchmarks
sources_are_newer() {
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main -newer "$built/lib" -type f 2> /dev/null | head -1)" ]
}
if [ ! -d "$built/lib" ] || sources_are_newer; then
    echo "Building the gateway and the benchmarks" >&2
    mvn -B -q -ntp -f "$root/pom.xml" -P benchmarks -pl benchmarks -am -DskipTests package >&2
    touch "$built/lib"
fi

exec java -Xmx256m -cp "$built/conf:$built/lib/*" io.talosgateway.benchmarks.ideal.IdealComparison \
    --distribution "$root/deploy/target/talos-gateway" --benchmarks "$built" "$@"
