#!/bin/sh
# Makes the secrets of the cluster of compose.yaml, unless they are there: files in /etc/talos-gateway/secrets, a volume, which only the
# gateway's user can read. The first key, an administrator's, is also in the file admin-key.
set -eu
cd "${1:-/etc/talos-gateway/secrets}"
umask 077

random() {
    od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

[ -s peer ] || random > peer
[ -s key-encryption ] || random > key-encryption
[ -s zookeeper ] || echo "talos:$(random)" > zookeeper
[ -s keys.json ] || talos-gateway key create --admin --owner root --key-file "$PWD/keys.json" > admin-key
