#!/bin/sh
# Builds what 'talos-loadgen experiment' needs and the distribution does not have, if it is not there or older than the
# sources. With --check, only says by its status whether there is something to build (3) or not (0).
set -eu
only_check=no
case ${1:-} in
    '') ;;
    --check) only_check=yes ;;
    *)
        echo "usage: benchmarks/kit.sh [--check]" >&2
        exit 2
        ;;
esac
. "$(dirname "$0")/built.sh"
