#!/bin/sh
# The main job in a minute, on a small fabric and without hardware.
# LOSSLESS names the program to run.
set -eu
cd "$(dirname "$0")/.."
lossless="${LOSSLESS:-lossless}"
case "$lossless" in */*) lossless="$(cd "$(dirname "$lossless")" && pwd)/$(basename "$lossless")" ;; esac
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT

say() { printf '\n== %s\n' "$*"; }

say '1. Lint: 2 leaves, 2 spines, 8 hosts, and a few mistakes that people make'
status=0
"$lossless" lint inventory/demo || status=$?
if [ "$status" -ne 1 ]; then
  echo "the demo should end in findings (exit 1), not in exit $status" >&2
  exit 1
fi

say '2. Trace: where does the traffic of a host lose its way?'
"$lossless" trace inventory/demo gpu07:ens2np0 gpu01:ens1np0 || [ $? -eq 1 ]

say '3. The same fabric without the mistakes'
"$lossless" lint inventory/demo-fixed

say '4. Render it: switch configuration, NIC scripts, boot units, environment files'
"$lossless" render inventory/demo-fixed --out "$out"
(cd "$out" && ls -1 leaf01 gpu01)
echo
sed -n '1,24p' "$(ls "$out"/leaf01/* | head -n 1)"
echo '...'

say 'Where to look next'
cat <<'NEXT'
  lossless explain PFC001          why a finding matters and how to mend it
  lossless rules                   everything that is checked
  lossless init my-fabric          an inventory of your own to start from
  lossless lint inventory/demo --diff   each mistake mended, as a patch; --fix writes it
  lossless lint PATH --format sarif|junit|github|gitlab|json     for CI
  README.md, docs/                 the rest
NEXT
