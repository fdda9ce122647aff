package dev.jacquard.devices.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Native functions by what they take, so that a call with the wrong types does not compile.
 *
 * <p>A signature's name has a letter per parameter: {@code J} for 64 bits, which are addresses, handles and sizes, and
 * {@code I} for 32 bits, which are numbers and enumerations. All return a status of 32 bits. Addresses travel as
 * numbers: the maker of the memory keeps it until the call is over. Calls allocate nothing; the handles are constants,
 * only the address differs.
 */
final class Signatures {
    private Signatures() {}

    static FunctionDescriptor type(String letters) {
        MemoryLayout[] parameters = letters.chars()
                .mapToObj(letter -> letter == 'J' ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT)
                .toArray(MemoryLayout[]::new);
        return FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters);
    }

    static MethodHandle handle(FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(type);
    }

    static Error impossible(Throwable thrown) {
        return thrown instanceof Error error ? error : new AssertionError("a native call threw", thrown);
    }

    record I(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("I");
        private static final MethodHandle CALL = handle(TYPE);

        I(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(int a) {
            try {
                return (int) CALL.invokeExact(at, a);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record J(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("J");
        private static final MethodHandle CALL = handle(TYPE);

        J(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a) {
            try {
                return (int) CALL.invokeExact(at, a);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record IJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("IJ");
        private static final MethodHandle CALL = handle(TYPE);

        IJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(int a, long b) {
            try {
                return (int) CALL.invokeExact(at, a, b);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JI(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JI");
        private static final MethodHandle CALL = handle(TYPE);

        JI(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b) {
            try {
                return (int) CALL.invokeExact(at, a, b);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJ");
        private static final MethodHandle CALL = handle(TYPE);

        JJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b) {
            try {
                return (int) CALL.invokeExact(at, a, b);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record IJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("IJJ");
        private static final MethodHandle CALL = handle(TYPE);

        IJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(int a, long b, long c) {
            try {
                return (int) CALL.invokeExact(at, a, b, c);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JII(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JII");
        private static final MethodHandle CALL = handle(TYPE);

        JII(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c) {
            try {
                return (int) CALL.invokeExact(at, a, b, c);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JIJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JIJ");
        private static final MethodHandle CALL = handle(TYPE);

        JIJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, long c) {
            try {
                return (int) CALL.invokeExact(at, a, b, c);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJI(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJI");
        private static final MethodHandle CALL = handle(TYPE);

        JJI(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, int c) {
            try {
                return (int) CALL.invokeExact(at, a, b, c);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJJ");
        private static final MethodHandle CALL = handle(TYPE);

        JJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, long c) {
            try {
                return (int) CALL.invokeExact(at, a, b, c);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JIII(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JIII");
        private static final MethodHandle CALL = handle(TYPE);

        JIII(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, int d) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJJJ");
        private static final MethodHandle CALL = handle(TYPE);

        JJJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, long c, long d) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJJJJI(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJJJJI");
        private static final MethodHandle CALL = handle(TYPE);

        JJJJJI(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, long c, long d, long e, int f) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJJJJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJJJJJ");
        private static final MethodHandle CALL = handle(TYPE);

        JJJJJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, long c, long d, long e, long f) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JJJIJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JJJIJJ");
        private static final MethodHandle CALL = handle(TYPE);

        JJJIJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, long b, long c, int d, long e, long f) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }

    record JIIIIIIIJJJ(MemorySegment at) {
        private static final FunctionDescriptor TYPE = type("JIIIIIIIJJJ");
        private static final MethodHandle CALL = handle(TYPE);

        JIIIIIIIJJJ(Symbols symbols, String name) {
            this(symbols.find(name, TYPE));
        }

        int call(long a, int b, int c, int d, int e, int f, int g, int h, long i, long j, long k) {
            try {
                return (int) CALL.invokeExact(at, a, b, c, d, e, f, g, h, i, j, k);
            } catch (Throwable t) {
                throw impossible(t);
            }
        }
    }
}
