#!/bin/sh
# Builds the gateway if needed, runs it on its embedded default, and shows a put and a get.
set -eu

usage() {
    cat << 'TEXT'
usage: deploy/quickstart.sh [--once] [--port PORT]

Builds the gateway if needed, runs it with local storage and an embedded ZooKeeper, creates the topic 'demo', puts and
gets messages, and stays in the foreground until Ctrl-C. Needs a JDK (17 or later) and Maven (3.8 or later).

  --once        stop after the put and the get; exit status 0 if they worked
  --port PORT   port for clients, 8080 if not given; the next one is for health and metrics

Everything it keeps is in the folder data/ of the working copy; remove the folder to begin anew.
TEXT
}

fail() {
    echo "quickstart.sh: $1" >&2
    exit "${2:-1}"
}

once=false
port=8080
while [ $# -gt 0 ]; do
    case $1 in
        --once) once=true ;;
        --port)
            [ $# -ge 2 ] || fail "--port needs a number" 2
            port=$2
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
case $port in
    '' | *[!0-9]*) fail "--port needs a number, not '$port'" 2 ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
home=$root/deploy/target/talos-gateway
data=$root/data
gateway=$home/bin/talos-gateway
endpoint=http://127.0.0.1:$port
ops=http://127.0.0.1:$((port + 1))

# ---- build ----

sources_are_newer() {
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main -newer "$gateway" -type f 2> /dev/null | head -1)" ]
}
if [ ! -x "$gateway" ] || sources_are_newer; then
    "$root/deploy/dist.sh"
    touch "$gateway"
fi

# ---- start ----

# Not readable for others: it holds the key.
umask 077
mkdir -p "$data"
server=
stop() {
    trap - EXIT INT TERM
    if [ -n "$server" ] && kill -0 "$server" 2> /dev/null; then
        echo
        echo "Stopping the gateway"
        kill "$server"
        wait "$server" || true
    fi
}
trap 'stop; exit 130' INT
trap 'stop; exit 143' TERM
trap stop EXIT

if "$gateway" health --ops "$ops" > /dev/null 2>&1; then
    fail "another gateway is running at $ops; stop it, or name another port with --port"
fi
"$gateway" server --set data.directory="$data" --set http.port="$port" --set ops.port=$((port + 1)) &
server=$!
waited=0
until "$gateway" health --ops "$ops" --wait 5 > /dev/null 2>&1; do
    kill -0 "$server" 2> /dev/null || fail "the gateway did not start; the reason is above"
    waited=$((waited + 5))
    [ $waited -lt 120 ] || fail "the gateway is not ready after $waited s"
    echo "Waiting for the gateway: $waited s"
done

# ---- put and get ----

export TALOS_ENDPOINT="$endpoint"
"$gateway" topic describe demo --key-file "$data/keys.json" > /dev/null 2>&1 \
    || "$gateway" topic create demo --key-file "$data/keys.json"

if command -v curl > /dev/null 2>&1; then
    # curl reads the credentials from a file, so that they are neither shown nor in the list of processes.
    sed -n 's/.*"id" : "\(.*\)",.*/\1/p;s/.*"secret" : "\(.*\)",.*/\1/p' "$data/keys.json" \
        | { read -r id; read -r secret; echo "user = \"$id:$secret\""; } > "$data/curl.conf"
    curl() {
        echo
        echo "\$ curl -K data/curl.conf $(for word in "$@"; do case $word in *[!A-Za-z0-9:/._-]*) printf "'%s' " "$word" ;; *) printf '%s ' "$word" ;; esac; done)"
        command curl -sSf --retry 5 -K "$data/curl.conf" "$@"
        echo
    }
    curl -H 'Content-Type: application/x-ndjson' -d '{"value":"hello, world"}' "$endpoint/v1/topics/demo/partitions/0/messages"
    curl -H 'Content-Type: application/json' -d '{"messages":[{"key":"order-1042","value":"paid"},{"value":{"total":12}}]}' \
        "$endpoint/v1/topics/demo/messages"
    curl "$endpoint/v1/topics/demo/partitions/0/messages?offset=earliest&max-messages=10"
    curl "$endpoint/v1/topics/demo/partitions"
else
    echo "There is no curl here; the gateway's own command line shows a put and a get:"
    echo "\$ talos-gateway put demo hello world"
    "$gateway" put demo hello world --key-file "$data/keys.json"
    echo "\$ talos-gateway get demo"
    "$gateway" get demo --max 10 --key-file "$data/keys.json"
fi

if $once; then
    echo
    echo "It works."
    exit 0
fi
cat << TEXT

The gateway is running. From $root:
  REST      $endpoint/v1/topics                    described in $endpoint/openapi.yaml
  Talos     $endpoint                              is the endpoint for the Talos SDKs
  health    $ops/health/ready
  metrics   $ops/metrics
  command   deploy/target/talos-gateway/bin/talos-gateway --help
  load      deploy/target/talos-gateway/bin/talos-loadgen run --preset smoke --endpoint $endpoint

Press Ctrl-C to stop it.
TEXT
wait "$server"
