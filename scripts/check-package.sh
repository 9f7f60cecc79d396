#!/usr/bin/env bash
# Looks at the Debian package with lintian, installs it in a bare Debian, and scores a hand and a photo there.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
for tool in lintian mmdebstrap; do command -v $tool >/dev/null || missing+=($tool); done
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
[ ${#missing[@]} = 0 ] || $sudo apt-get install -q -y --no-install-recommends "${missing[@]}"
package=$(ls -t target/debian/tilelens_*.deb | head -n 1)
lintian --fail-on error,warning "$package"
root=$(mktemp -d)
trap '$sudo umount -q "$root/debian/proc" || true; $sudo rm -rf --one-file-system "$root"' EXIT
$sudo mmdebstrap --quiet --variant=apt --include="$PWD/$package" --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount \
  "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root/debian"
$sudo cp datasets/photos/tables/table-discards.jpg "$root/debian/tmp/hand.jpg"
$sudo mount -t proc proc "$root/debian/proc"
inside() { $sudo chroot "$root/debian" "$@"; }
inside tilelens score "123m456m789p23s55s +4s" --seat W --from S | grep -q "score 20"
inside tilelens photo /tmp/hand.jpg --rules mmm --seat S --round E --from W | grep -q "score 20"
inside test -f /usr/share/bash-completion/completions/tilelens -a -f /lib/systemd/system/tilelens.service
echo "$package: installed in a bare Debian, a hand and a photo scored there"
