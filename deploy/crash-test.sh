#!/bin/sh
# Kills a gateway again and again while it is put to, and checks that nothing that it acknowledged is lost.
set -eu

usage() {
    cat << 'TEXT'
usage: deploy/crash-test.sh [--hdfs] [--kills N] [--seed S]

Runs a gateway, puts messages to it from 8 writers, and kills it (kill -9) at random moments, some of them while it
starts. All answers to puts and gets are checked, as 'talos-loadgen verify' checks them: every message that was
acknowledged must be there exactly once, at its offset, byte for byte; offsets must be dense; nothing else may be there
but messages whose put was not answered; what readers saw meanwhile must be there, too. Needs a JDK (17 or later) and
Maven (3.8 or later); builds what it tests.

  --hdfs      on an HDFS (a NameNode and three DataNodes, in the process of the test) instead of on files of this host
  --kills N   how often to kill it, 20 if not given: two to three minutes with the build
  --seed S    the same messages, and the same pauses between the kills, as in an earlier run

Prints how it goes, and the report. Exit status 0 if all is well. The whole output is in deploy/target/crash-test.log.
TEXT
}

fail() {
    echo "crash-test.sh: $1" >&2
    exit "${2:-1}"
}

number() {
    case ${2:-} in
        '' | *[!0-9]*) fail "$1 needs a number" 2 ;;
    esac
}

storage=Files
kills=20
seed=
while [ $# -gt 0 ]; do
    case $1 in
        --hdfs) storage=Hdfs ;;
        --kills)
            number "$@"
            kills=$2
            shift
            ;;
        --seed)
            number "$@"
            seed=$2
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) fail "unknown option '$1'; see --help" 2 ;;
    esac
    shift
done

root=$(cd "$(dirname "$0")/.." && pwd)
for tool in java mvn; do
    command -v $tool > /dev/null 2>&1 \
        || fail "'$tool' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed"
done

log=$root/deploy/target/crash-test.log
status=$root/deploy/target/crash-test.status
mkdir -p "$root/deploy/target"
rm -f "$status"
echo "Building the gateway; the first time, Maven fetches the libraries, which takes minutes."
# shellcheck disable=SC2086 # No seed is no argument.
{
    mvn -B -ntp -f "$root/pom.xml" -pl deploy/integration-tests -am verify -Dtest=NONE -Dsurefire.failIfNoSpecifiedTests=false \
        -Dit.test="CrashOn${storage}IT" -Dfailsafe.failIfNoSpecifiedTests=false -Dcrash.kills="$kills" \
        ${seed:+-Dcrash.seed=$seed} 2>&1 || echo failed > "$status"
} | tee "$log" | sed -un '/Running .*\.CrashOn/,/Tests run/{/^\[/!p}'
if [ -e "$status" ]; then
    echo "crash-test.sh: failed:" >&2
    grep -m 1 -A 40 '^\[ERROR\]' "$log" | sed '/^\[INFO\]/,$d' | grep -v '^[[:space:]]*at ' >&2 || tail -20 "$log" >&2
    fail "all of the output is in $log"
fi
echo "All answers were true."
