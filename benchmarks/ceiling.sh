#!/bin/sh
# Compares what the load generator reaches against a server that does nothing with what it reaches against a gateway.
set -eu

usage() {
    cat << 'TEXT'
usage: benchmarks/ceiling.sh [--rounds N] [--duration TIME]

Puts the same loads on a null server and on a gateway with local storage, in turns, each for TIME after 3 s of warm-up, and
prints the requests per second of each run, the load generator's CPU time for a request, and the medians with their ratio.
The generator measures the gateway and not itself if it reaches several times as much against the null server.

  --rounds N        how often; 3 if not given
  --duration TIME   of each run that counts; 6s if not given

Needs the distribution (deploy/dist.sh). Everything is on loopback; its files are in a temporary folder, which is removed.
TEXT
}

rounds=3
duration=6s
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=$2 && shift ;;
        --duration) duration=$2 && shift ;;
        -h | --help) usage && exit 0 ;;
        *) echo "ceiling.sh: unknown option '$1'; see --help" >&2 && exit 2 ;;
    esac
    shift
done

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/deploy/target/talos-gateway/bin
work=$(mktemp -d)
servers=
stop() {
    trap - EXIT INT TERM
    for server in $servers; do
        kill "$server" 2> /dev/null || true
    done
    wait
    rm -rf "$work"
}
trap 'stop; exit 130' INT TERM
trap stop EXIT

"$bin/talos-loadgen" null-server --port 9090 > "$work/null.txt" &
servers=$!
"$bin/talos-gateway" server --set data.directory="$work/data" --set http.port=9080 --set ops.port=9081 \
    --set peer.port=0 > "$work/gateway.txt" 2>&1 &
servers="$servers $!"
"$bin/talos-gateway" health --ops http://127.0.0.1:9081 --wait 60 > /dev/null

# one LOAD SERVER PORT OPTION...
one() {
    load=$1 server=$2 port=$3
    shift 3
    file=$work/$load-$server.json
    rm -f "$file"
    "$bin/talos-loadgen" run --endpoint "http://127.0.0.1:$port" --key-file "$work/data/keys.json" --topic "ceiling-$load" \
        --warmup 3s --duration "$duration" --json "$file" "$@" > "$work/run.txt" 2>&1 || { cat "$work/run.txt" >&2 && exit 1; }
    rate=$(sed -n 's/^    "perSecond" : \([0-9.]*\),*/\1/p' "$file" | awk '{sum += $1} END {printf "%.0f", sum}')
    cpu=$(sed -n 's/^  "cpuMicrosPerRequest" : \([0-9.]*\),*/\1/p' "$file")
    cores=$(sed -n 's/^    "cpuCores" : \([0-9.]*\),*/\1/p' "$file")
    echo "$load $server $rate $cpu $cores" | tee -a "$work/figures.txt"
}

echo "load, server, requests/s, µs of CPU per request, processors of the load generator"
round=0
while [ $round -lt "$rounds" ]; do
    for target in null:9090 gateway:9080; do
        one puts "${target%:*}" "${target#*:}" --put-threads 120
        one puts-and-gets "${target%:*}" "${target#*:}" --put-threads 120 --get-threads 120
        one pending "${target%:*}" "${target#*:}" --pending 120
    done
    round=$((round + 1))
done

median() {
    awk -v load="$1" -v server="$2" '$1 == load && $2 == server {print $3}' "$work/figures.txt" | sort -n \
        | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}
echo
echo "medians: load, null server, gateway, ratio"
for load in puts puts-and-gets pending; do
    null=$(median $load null)
    gateway=$(median $load gateway)
    echo "$load $null $gateway $(awk -v a="$null" -v b="$gateway" 'BEGIN {printf "%.1f", a / b}')"
done
