#!/usr/bin/env bash
# hwloc 2.9.0 as Debian 12 builds it: hwloc_get_api_version answers 2.8.0.
#
# One would guess that a library of version X.Y.Z answers (X << 16) + (Y << 8) + Z, as the manual describes the number.
# It is that of the last release that changed the interface, so 2.9.0 calls itself 0x20800. A program that asks for
# features of 2.9 by this number does not get them, and one that reports the number reports another release. No other
# function has the version: it is the info "hwlocVersion" of the topology's root, and so in an exported file.
#
# Needs Debian 12 on x86-64 with python3; the package is downloaded and unpacked, not installed.
# Prints on success: hwloc_get_api_version: 2.8.0; hwlocVersion: 2.9.0
set -euo pipefail
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq libhwloc15=2.9.0-1 2>apt || { cat apt >&2; exit 1; }
dpkg -x libhwloc15_2.9.0-1_amd64.deb root
cat >version.py <<'END'
import ctypes, re
hwloc = ctypes.CDLL("root/usr/lib/x86_64-linux-gnu/libhwloc.so.15")
hwloc.hwloc_topology_export_xml.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulong]
topology = ctypes.c_void_p()
hwloc.hwloc_topology_init(ctypes.byref(topology))
hwloc.hwloc_topology_load(topology)
hwloc.hwloc_topology_export_xml(topology, b"here.xml", 0)
api = hwloc.hwloc_get_api_version()
info = re.search('name="hwlocVersion" value="([^"]*)"', open("here.xml").read())[1]
print(f"hwloc_get_api_version: {api >> 16}.{api >> 8 & 255}.{api & 255}; hwlocVersion: {info}")
END
python3 version.py | tee out
expected="hwloc_get_api_version: 2.8.0; hwlocVersion: 2.9.0"
grep -qxF "$expected" out || { echo "no longer so: expected \"$expected\"" >&2; exit 1; }
