#!/bin/sh
# A whole cluster on this machine: ZooKeeper, an HDFS and several gateways, each a process of its own.
# 'deploy/local-cluster.sh help' says what it can do.
#
#   JAVA_HOME                   the Java to use, 17 or later; otherwise the one on the PATH
#   TALOS_LOCAL_CLUSTER_BUILD   'never': use what is built, even if it is older than the sources, and no copies of it: do not
#                               build while the cluster runs
#   TALOS_SERVER_JAVA_OPTS      further options for the JVMs of the gateways
set -eu

fail() {
    echo "local-cluster.sh: $1" >&2
    exit 1
}

root=$(cd "$(dirname "$0")/.." && pwd)
gateway=$root/deploy/target/talos-gateway
built=$root/deploy/local-cluster/target/local-cluster

java=java
if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
fi
command -v "$java" > /dev/null 2>&1 \
    || fail "there is no Java at '$java'; install a JDK (17 or later), or set JAVA_HOME"

# ---- build ----

sources_are_newer() {
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main "$root/deploy/local-cluster/pom.xml" \
        "$root/deploy/local-cluster/src/main" -newer "$built/lib" -type f 2> /dev/null | head -1)" ]
}

build() {
    command -v mvn > /dev/null 2>&1 \
        || fail "'mvn' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed to build the cluster"
    echo "Building the cluster; the first time, Maven fetches the libraries, which takes minutes." >&2
    mkdir -p "$root/deploy/local-cluster/target"
    log=$root/deploy/local-cluster/target/build.log
    status=$root/deploy/local-cluster/target/build.status
    rm -f "$status"
    { mvn -B -ntp -f "$root/pom.xml" -pl deploy/local-cluster -am -DskipTests package 2>&1 || echo failed > "$status"; } \
        | tee "$log" | sed -un 's/^\[INFO\] Building Talos Gateway - \(.*\) [0-9][^ ]* *\[\(.*\)\]$/  \2 \1/p' >&2
    if [ -e "$status" ]; then
        grep '^\[ERROR\]' "$log" | head -20 >&2 || tail -20 "$log" >&2
        fail "the build failed; all of its output is in $log"
    fi
    touch "$built/lib"
    # Everything works without it.
    "$gateway/bin/talos-share-classes" --if-needed >&2 || true
}

is_built() {
    [ -d "$built/lib" ] && [ -x "$gateway/bin/talos-gateway" ]
}

# A running cluster has copies of the programs, so that it does not notice a build.
case ${1:-} in
    up)
        if [ "${TALOS_LOCAL_CLUSTER_BUILD:-}" = never ]; then
            is_built || fail "the cluster is not built, and TALOS_LOCAL_CLUSTER_BUILD=never forbids to build it"
        elif ! is_built || sources_are_newer; then
            case " $* " in
                *' --help '* | *' -h '*) is_built || build ;;
                *) build ;;
            esac
        fi
        ;;
    *)
        is_built || {
            cat << 'TEXT'
usage: deploy/local-cluster.sh COMMAND

Runs a whole cluster on this machine: ZooKeeper, an HDFS NameNode, DataNodes, and several gateways, each a process of its
own, on loopback. Nothing of it is built yet: begin with the first of these.

  deploy/local-cluster.sh up       builds the cluster and brings it up: minutes the first time, then half a minute
  deploy/local-cluster.sh help     all commands, once it is built
TEXT
            case ${1:-} in
                help | -h | --help) exit 0 ;;
                *) fail "nothing is built yet, so no cluster runs" ;;
            esac
        }
        ;;
esac

# Short-lived: quick to start rather than quick in the long run.
set -- -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -Dtalos.local-cluster.script="$root/deploy/local-cluster.sh" \
    -Dtalos.local-cluster.programs="$built" \
    -Dtalos.local-cluster.gateway="$gateway" \
    -Dtalos.local-cluster.directory="$root/data/local-cluster" \
    -cp "$gateway/lib/*:$built/conf:$built/lib/*" io.talosgateway.localcluster.LocalCluster "$@"
# Classes that talos-share-classes has prepared, of the libraries that come first. If this is not of these, the JVM does without.
archive=$gateway/cache/classes.jsa
if [ -r "$archive" ]; then
    set -- -XX:SharedArchiveFile="$archive" '-Xlog:cds*=off' "$@"
fi
exec "$java" "$@"
