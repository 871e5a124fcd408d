#!/bin/sh
# Installs fetchrun from this folder: ./install.sh [--prefix DIR]
# Removes what it installed:          ./install.sh --uninstall [--prefix DIR]
# DIR is /usr/local by default. Config and store stay unchanged.
set -eu
prefix=/usr/local
remove=
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) [ $# -ge 2 ] || { echo "install.sh: --prefix needs a folder" >&2; exit 64; }
      prefix=$2; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    --uninstall) remove=yes; shift ;;
    *) sed -n '2,4s/^# //p' "$0"; [ "$1" = --help ] || exit 64; exit 0 ;;
  esac
done
case "$prefix" in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
list=$prefix/share/fetchrun/installed-files

uninstall() {
  [ -f "$list" ] || { echo "install.sh: nothing is installed in $prefix" >&2; exit 1; }
  while IFS= read -r file; do rm -f "$prefix/$file"; done <"$list"
  folders=$(sed 's|/[^/]*$||' "$list" | sort -ru)
  rm -f "$list"
  # Folders that are now empty, deepest first.
  for folder in $folders share/fetchrun; do
    while rmdir "$prefix/$folder" 2>/dev/null; do
      case "$folder" in */*) folder=${folder%/*} ;; *) break ;; esac
    done
  done
}

if [ -n "$remove" ]; then
  uninstall
  echo "removed from $prefix; config and store are kept"
  exit 0
fi

cd "$(dirname "$0")"
if ! mkdir -p "$prefix/share/fetchrun" 2>/dev/null || [ ! -w "$prefix/share/fetchrun" ]; then
  echo "install.sh: cannot write to $prefix: use sudo, or --prefix \$HOME/.local" >&2
  exit 1
fi
# An older version may have files that this one lacks.
if [ -f "$list" ]; then uninstall; mkdir -p "$prefix/share/fetchrun"; fi
(cd files && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$list"
while IFS= read -r file; do
  mkdir -p "$prefix/$(dirname "$file")"
  # A running program keeps the file from which it was started.
  rm -f "$prefix/$file"
  cp -p "files/$file" "$prefix/$file"
done <"$list"
for unit in "$prefix"/lib/systemd/system/fetchrun*.service; do
  sed -i "s|/usr/local/bin/|$prefix/bin/|; s|/usr/local/libexec/|$prefix/libexec/|" "$unit"
done
echo "installed in $prefix; remove it with: $0 --uninstall --prefix $prefix"

missing=$(ldd "$prefix/bin/fetchrun" "$prefix/libexec/fetchrun/fetchrun-worker" \
  "$prefix/libexec/fetchrun/fetchrun-web" 2>/dev/null |
  sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u)
PATH=$PATH:/sbin:/usr/sbin
ldconfig -p 2>/dev/null | grep -q 'libcurl\.so\.4 ' || missing="$missing libcurl.so.4"
if [ -n "${missing# }" ]; then
  echo "libraries are missing:" $missing
  echo "on Debian 12: apt-get install libsqlite3-0 libyaml-0-2 libnettle8 liblua5.4-0 libxml2 libicu72 libcurl4 ca-certificates tzdata"
fi
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not in PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
