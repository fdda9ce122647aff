#!/usr/bin/env bash
# OpenBLAS 0.3.21 and 0.3.31: the product of a vector and 0 by cblas_dscal hides NaN in one and keeps it in the other.
#
# One would guess that a scaling by 0 is IEEE arithmetic, where 0 * NaN and 0 * infinity are NaN. The older release writes
# zeros for a factor of 0, whatever the vector holds; the newer one multiplies. A check for NaN after a scaling therefore
# passes with the library of one Linux distribution and fails with that of the next.
#
# Prints on success: 0.3.21: 0 of 1000 are NaN; 0.3.31: 1000 of 1000 are NaN
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fetch"
for version in 0.3.21-1.5.8 0.3.31-1.5.13; do
  fetch "org.bytedeco:openblas:$version:jar:linux-x86_64" "$version"
  (cd "$work/$version" && "$JAVA_HOME/bin/jar" -xf ./*.jar org/bytedeco/openblas/linux-x86_64)
done
cat >"$work/Scale.java" <<'END'
import static java.lang.foreign.ValueLayout.*;
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

void main(String[] args) throws Throwable {
    MethodHandle scale = Linker.nativeLinker().downcallHandle(
            SymbolLookup.libraryLookup(Path.of(args[1]), Arena.global()).find("cblas_dscal").orElseThrow(),
            FunctionDescriptor.ofVoid(JAVA_INT, JAVA_DOUBLE, ADDRESS, JAVA_INT));
    int count = 1_000;
    int undefined = 0;
    try (Arena arena = Arena.ofConfined()) {
        MemorySegment vector = arena.allocate(JAVA_DOUBLE, count);
        for (int i = 0; i < count; i++) vector.setAtIndex(JAVA_DOUBLE, i, i % 2 == 0 ? Double.NaN : Double.POSITIVE_INFINITY);
        scale.invoke(count, 0.0, vector, 1);
        for (int i = 0; i < count; i++) if (Double.isNaN(vector.getAtIndex(JAVA_DOUBLE, i))) undefined++;
    }
    IO.println(args[0] + ": " + undefined + " of " + count + " are NaN");
}
END
for version in 0.3.21-1.5.8 0.3.31-1.5.13; do
  OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 "${java[@]}" "$work/Scale.java" "${version%-*}" \
    "$work/$version/org/bytedeco/openblas/linux-x86_64/libopenblas.so.0" | tee -a "$work/out"
done
expect "0.3.21: 0 of 1000 are NaN" "$work/out"
expect "0.3.31: 1000 of 1000 are NaN" "$work/out"
