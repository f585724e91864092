#!/usr/bin/env bash
# Regenerates src/main/java-generated from src/main/thrift. Needs Apache Thrift's compiler 0.17 (Debian: thrift-compiler);
# building the project does not. Run it after every change of a .thrift file and commit both.
#
#   thrift-idl/generate.sh           regenerate
#   thrift-idl/generate.sh --check   exit 1 when what is committed differs from what the compiler makes
set -euo pipefail
cd "$(dirname "$0")"

wanted="Thrift version 0.17"
found=$(thrift --version 2>/dev/null || true)
if [[ "$found" != "$wanted"* ]]; then
  echo "generate.sh: needs '$wanted.x' on the PATH, found '${found:-no thrift compiler}'" >&2
  exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in src/main/thrift/*.thrift; do
  thrift --gen java:generated_annotations=suppress,unsafe_binaries -o "$work" "$file"
done
# Service classes are not used (see docs/decisions/0001-thrift-code.md): calls go through io.talosgateway.thrift.call.
find "$work/gen-java" -name '*Service.java' -delete
# The compiler leaves blanks at line ends.
find "$work/gen-java" -name '*.java' -exec sed -i 's/[ \t]*$//' {} +

if [[ "${1:-}" == "--check" ]]; then
  diff -r "$work/gen-java" src/main/java-generated && echo "generated code and IDL agree"
else
  rm -rf src/main/java-generated
  mkdir -p src/main/java-generated
  cp -r "$work/gen-java/." src/main/java-generated/
  echo "generated $(find src/main/java-generated -name '*.java' | wc -l) files"
fi
