#!/bin/sh
# Builds the distribution at deploy/target/talos-gateway/, without running the tests; with --packages also what is shipped.
set -eu

case ${1:-} in
    '') set -- ;;
    --packages) set -- -P packages ;;
    -h | --help)
        echo "usage: deploy/dist.sh [--packages]"
        echo "Builds the distribution (bin/, lib/, conf/) at deploy/target/talos-gateway/. Needs Java 17 and Maven 3.8."
        echo "--packages: also archives and a Debian package, with checksums, at deploy/target/packages/."
        exit 0
        ;;
    *)
        echo "dist.sh: unknown option '$1'; there are --packages and --help" >&2
        exit 2
        ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
for tool in java mvn; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "dist.sh: '$tool' is not on the PATH; a JDK (17 or later) and Maven (3.8 or later) are needed" >&2
        exit 1
    fi
done

log=$root/deploy/target/dist.log
mkdir -p "$root/deploy/target"
echo "Building the distribution; the first time, Maven fetches the libraries, which takes minutes."
status=$root/deploy/target/dist.status
rm -f "$status"
rm -rf "$root/deploy/target/packages"
{ mvn -B -ntp -f "$root/pom.xml" "$@" -pl deploy -am -DskipTests package 2>&1 || echo failed > "$status"; } | tee "$log" \
    | sed -n 's/^\[INFO\] Building Talos Gateway - \(.*\) [0-9][^ ]* *\[\(.*\)\]$/  \2 \1/p'
if [ -e "$status" ]; then
    echo "dist.sh: the build failed:" >&2
    grep '^\[ERROR\]' "$log" | head -20 >&2 || tail -20 "$log" >&2
    echo "dist.sh: all of its output is in $log" >&2
    exit 1
fi
"$root/deploy/target/talos-gateway/bin/talos-share-classes" --if-needed || echo "dist.sh: commands will start slower" >&2
echo "The distribution is at $root/deploy/target/talos-gateway"

if [ $# -gt 0 ]; then
    cd "$root/deploy/target/packages"
    # The bill of materials and the licences also beside the archives.
    cp ../talos-gateway/talos-gateway.cdx.json ../talos-gateway/THIRD-PARTY.txt .
    sha256sum -- * > ../SHA256SUMS
    sha512sum -- * > ../SHA512SUMS
    mv ../SHA256SUMS ../SHA512SUMS .
    echo "The packages, with checksums, are at $PWD"
fi
