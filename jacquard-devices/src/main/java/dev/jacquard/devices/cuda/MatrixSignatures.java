package dev.jacquard.devices.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The {@link Signatures} of the functions of cuBLAS and cuSOLVER that work on matrices and vectors. */
final class MatrixSignatures {
    private MatrixSignatures() {}

    record JIJJIJI(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIJJIJI");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIJJIJI(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, long c, long d, int e, long f, int g) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }

    record JIIIIIJJIJIJJI(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIIIIIJJIJIJJI");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIIIIIJJIJIJJI(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(
                long a,
                int b,
                int c,
                int d,
                int e,
                int f,
                long g,
                long h,
                int i,
                long j,
                int k,
                long l,
                long m,
                int n) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }

    record JIIJIJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIIJIJ");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIIJIJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, long d, int e, long f) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }

    record JIIJIJJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIIJIJJJ");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIIJIJJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, long d, int e, long f, long g, long h) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g, h);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }

    record JIIIJIJJIJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIIIJIJJIJ");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIIIJIJJIJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, int d, long e, int f, long g, long h, int i, long j) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g, h, i, j);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }

    record JIIJIJIJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = Signatures.type("JIIJIJIJ");
        private static final MethodHandle CALL = Signatures.handle(TYPE);

        JIIJIJIJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, long d, int e, long f, int g, long h) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g, h);
            } catch (Throwable t) {
                throw Signatures.impossible(t);
            }
        }
    }
}
