#!/usr/bin/env bash
# MPICH 4.0.2, mpiexec.hydra as Debian 12 builds it: the exit code is the bitwise "or" of the codes of all ranks.
#
# One would guess that the launcher returns the code of a rank: the first that failed, or the greatest. Ranks that exit
# with 1 and 2 give 3, those with 3 and 4 give 7. So a script cannot tell an exit code of 7 of one rank from 3 and 4 of
# two, and a rank that ends with MPI_Abort(comm, 1) may give 9, with the 9 of ranks that the launcher kills after that.
#
# Needs Debian 12 on x86-64, whose packages are downloaded and unpacked, not installed.
# Prints on success: 1 and 2 give 3; 3 and 4 give 7; 4 and 4 give 4; 0 and 6 give 6
set -euo pipefail
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq mpich=4.0.2-3+b1 libhwloc15=2.9.0-1 libslurm38=22.05.8-4+deb12u3 2>apt || { cat apt >&2; exit 1; }
for package in *.deb; do dpkg -x "$package" root; done
libraries=$work/root/usr/lib/x86_64-linux-gnu
codes() {
  local code=0
  LD_LIBRARY_PATH=$libraries "$work/root/usr/bin/mpiexec.hydra" -n 2 \
    sh -c "if [ \$PMI_RANK = 0 ]; then exit $1; else exit $2; fi" >output 2>&1 </dev/null || code=$?
  printf '%s and %s give %s' "$1" "$2" "$code"
}
echo "$(codes 1 2); $(codes 3 4); $(codes 4 4); $(codes 0 6)" | tee out
expected="1 and 2 give 3; 3 and 4 give 7; 4 and 4 give 4; 0 and 6 give 6"
grep -qxF "$expected" out || { echo "no longer so: expected \"$expected\"" >&2; exit 1; }
