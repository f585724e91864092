#!/bin/sh
# Runs the micro-benchmarks; arguments go to JMH: a pattern of names, -prof gc, -p size=10240, -h for help.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
for tool in java mvn; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "jmh.sh: '$tool' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed" >&2
        exit 1
    fi
done
echo "Building the benchmarks" >&2
mvn -B -q -ntp -f "$root/pom.xml" -P benchmarks -pl benchmarks -am -DskipTests package >&2
exec java -cp "$root/benchmarks/target/benchmarks/lib/*" org.openjdk.jmh.Main "$@"
