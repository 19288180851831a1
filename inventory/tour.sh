#!/bin/sh
# The main job in a minute, on a small fabric and without hardware.
# LOSSLESS names the program to run.
set -eu
cd "$(dirname "$0")/.."
lossless="${LOSSLESS:-lossless}"
case "$lossless" in */*) lossless="$(cd "$(dirname "$lossless")" && pwd)/$(basename "$lossless")" ;; esac
out="$(mktemp -d)"
lab=''
leave() {
  if [ -n "$lab" ]; then kill "$lab" 2>/dev/null || true; wait "$lab" 2>/dev/null || true; fi
  rm -rf "$out"
}
trap leave EXIT

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
sed -n '1,24p' "$out/leaf01/running-config.cfg"
echo '...'

say '5. The same fabric as simulated devices on 127.0.0.1, on which people changed a few settings'
mkdir "$out/lab"
LOSSLESS_LAB_PASSWORD="demo-$$" "$lossless" lab inventory/demo-fixed --out "$out/lab" --drift 7 >"$out/lab.log" 2>&1 &
lab=$!
waited=0
until grep -q 'Ctrl-C ends the lab' "$out/lab.log" 2>/dev/null; do
  if ! kill -0 "$lab" 2>/dev/null || [ "$waited" -ge 300 ]; then
    cat "$out/lab.log" >&2
    echo 'the lab did not start' >&2
    exit 1
  fi
  waited=$((waited + 1))
  sleep 0.2
done
grep '^changed ' "$out/lab.log"

say '6. Collect what runs over SSH, and say what differs from what was declared, and what mends it'
LOSSLESS_PASSWORD="demo-$$" "$lossless" collect inventory/demo-fixed --out "$out/snapshot" --ssh-config "$out/lab/ssh_config"
status=0
"$lossless" diff inventory/demo-fixed --running "$out/snapshot" --commands || status=$?
if [ "$status" -ne 1 ]; then
  echo "the demo should end in differences (exit 1), not in exit $status" >&2
  exit 1
fi

say 'Where to look next'
cat <<'NEXT'
  lossless explain PFC001          why a finding matters and how to mend it
  lossless rules                   everything that is checked
  lossless init my-fabric          an inventory of your own to start from
  lossless lint inventory/demo --diff   each mistake mended, as a patch; --fix writes it
  lossless lab inventory/demo       the lab for yourself (docs/lab.md)
  lossless lint PATH --format sarif|junit|github|gitlab|json     for CI
  README.md, docs/                 the rest
NEXT
