#!/usr/bin/env bash
# hwloc 2.9.0 as Debian 12 builds it: with a topology from a file, binding to a processor succeeds and binds nothing.
#
# One would guess that a program on the machine that a file describes may be bound by it: the file was exported here a
# moment ago, and hwloc_set_cpubind returns 0. But a topology from an XML file counts as another machine. Its binding
# functions are replaced by ones that return success; hwloc_get_cpubind answers "all processors". So a job whose
# environment sets HWLOC_XMLFILE, as is usual to start many processes faster, runs unbound without a message. With
# HWLOC_THISSYSTEM=1 the same calls bind.
#
# Needs Debian 12 on x86-64 with python3 and two processors; the package is downloaded and unpacked, not installed.
# Prints on success: probed: set 0, get one, bound to 1; from the file: set 0, get all, bound to all; from the file with
# HWLOC_THISSYSTEM=1: set 0, get one, bound to 1
set -euo pipefail
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq libhwloc15=2.9.0-1 2>apt || { cat apt >&2; exit 1; }
dpkg -x libhwloc15_2.9.0-1_amd64.deb root
cat >bind.py <<'END'
import ctypes, os, sys
hwloc = ctypes.CDLL("root/usr/lib/x86_64-linux-gnu/libhwloc.so.15")
text, p = ctypes.c_char_p, ctypes.c_void_p
for name, kinds in (("bitmap_alloc", []), ("topology_get_complete_cpuset", [p]), ("bitmap_first", [p]),
                    ("bitmap_only", [p, ctypes.c_uint]), ("bitmap_isequal", [p, p]),
                    ("topology_export_xml", [p, text, ctypes.c_ulong]),
                    ("set_cpubind", [p, p, ctypes.c_int]), ("get_cpubind", [p, p, ctypes.c_int])):
    getattr(hwloc, "hwloc_" + name).argtypes = kinds
for name in ("bitmap_alloc", "topology_get_complete_cpuset"):
    getattr(hwloc, "hwloc_" + name).restype = p
topology = p()
hwloc.hwloc_topology_init(ctypes.byref(topology))
hwloc.hwloc_topology_load(topology)
everything = hwloc.hwloc_topology_get_complete_cpuset(topology)
first, found = hwloc.hwloc_bitmap_alloc(), hwloc.hwloc_bitmap_alloc()
hwloc.hwloc_bitmap_only(first, min(os.sched_getaffinity(0)))
before = os.sched_getaffinity(0)
status = hwloc.hwloc_set_cpubind(topology, first, 0)
hwloc.hwloc_get_cpubind(topology, found, 0)
answer = "all" if hwloc.hwloc_bitmap_isequal(found, everything) else "one" if hwloc.hwloc_bitmap_isequal(found, first) else "?"
bound = "all" if os.sched_getaffinity(0) == before else len(os.sched_getaffinity(0))
print(f"set {status}, get {answer}, bound to {bound}")
if len(sys.argv) > 1:
    hwloc.hwloc_topology_export_xml(topology, sys.argv[1].encode(), 0)
END
{
  echo "probed: $(python3 bind.py here.xml)"
  echo "from the file: $(HWLOC_XMLFILE=here.xml python3 bind.py)"
  echo "from the file with HWLOC_THISSYSTEM=1: $(HWLOC_XMLFILE=here.xml HWLOC_THISSYSTEM=1 python3 bind.py)"
} | paste -sd ';' | sed 's/;/; /g' | tee out
expected="probed: set 0, get one, bound to 1; from the file: set 0, get all, bound to all; from the file with HWLOC_THISSYSTEM=1: set 0, get one, bound to 1"
grep -qxF "$expected" out || { echo "no longer so: expected \"$expected\"" >&2; exit 1; }
