# For the scripts beside it: builds what they run, if it is not there or older than the sources. Sets root and built.

root=$(cd "$(dirname "$0")/.." && pwd)
built=$root/benchmarks/target/benchmarks

for tool in java mvn; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "$(basename "$0"): '$tool' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed" >&2
        exit 1
    fi
done

sources_are_newer() {
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main -newer "$built/lib" -type f 2> /dev/null | head -1)" ]
}
if [ ! -d "$built/lib" ] || sources_are_newer; then
    if [ "${only_check:-no}" = yes ]; then
        exit 3
    fi
    echo "Building the gateway and the benchmarks, a minute or two" >&2
    # Maven does not compile a class again when only what it calls has changed.
    rm -rf "$root/benchmarks/target/classes"
    mvn -B -q -ntp -f "$root/pom.xml" -P benchmarks -pl benchmarks -am -DskipTests package >&2
    touch "$built/lib"
fi
