#!/usr/bin/env bash
# OpenBLAS 0.3.31: cblas_dasum of the same 1,000 numbers differs in its last bit with the address of the array.
#
# One would guess that a sum of the same numbers in the same order, by the same kernel in one thread, has one value. The
# kernels for AVX2 and AVX-512 sum the elements before the first aligned address apart, so the order of additions follows
# the array's address modulo the width of a vector. cblas_dnrm2 has one value. Arrays from malloc or from a JVM's heap lie
# at other addresses in each run: a program that compares runs bit for bit must sum from aligned addresses.
#
# Seen on x86-64 with the kernels Haswell, SkylakeX and Cooperlake; those named Prescott and Zen give one value.
# Prints on success: cblas_dasum: 2 values at 16 addresses, cblas_dnrm2: 1
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fetch"
fetch org.bytedeco:openblas:0.3.31-1.5.13:jar:linux-x86_64 jars
(cd "$work" && "$JAVA_HOME/bin/jar" -xf jars/*.jar org/bytedeco/openblas/linux-x86_64)
cat >"$work/Sums.java" <<'END'
import static java.lang.foreign.ValueLayout.*;
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.*;

void main(String[] args) throws Throwable {
    SymbolLookup library = SymbolLookup.libraryLookup(Path.of(args[0]), Arena.global());
    double[] numbers = new Random(1).doubles(1_000, -1, 1).toArray();
    IO.println("cblas_dasum: " + values(library, "cblas_dasum", numbers).size() + " values at 16 addresses, cblas_dnrm2: "
            + values(library, "cblas_dnrm2", numbers).size());
}

Set<Double> values(SymbolLookup library, String name, double[] numbers) throws Throwable {
    MethodHandle function = Linker.nativeLinker().downcallHandle(
            library.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_DOUBLE, JAVA_INT, ADDRESS, JAVA_INT));
    Set<Double> values = new HashSet<>();
    try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(8L * (numbers.length + 16), 128);
        for (int offset = 0; offset < 16; offset++) {
            MemorySegment at = memory.asSlice(8L * offset);
            MemorySegment.copy(numbers, 0, at, JAVA_DOUBLE, 0, numbers.length);
            values.add((double) function.invoke(numbers.length, at, 1));
        }
    }
    return values;
}
END
OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 "${java[@]}" "$work/Sums.java" \
  "$work/org/bytedeco/openblas/linux-x86_64/libopenblas.so.0" | tee "$work/out"
expect "cblas_dasum: 2 values at 16 addresses, cblas_dnrm2: 1" "$work/out"
