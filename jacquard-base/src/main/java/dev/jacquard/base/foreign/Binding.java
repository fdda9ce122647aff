package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Binds the functions of a library to the abstract methods of an interface. Immutable.
 *
 * <pre>{@code
 * interface Time {
 *     @Symbol("time") long seconds(MemorySegment result);
 * }
 *
 * static final Time TIME = Binding.of(MethodHandles.lookup(), Time.class).to(NativeLibrary.ofC());
 * }</pre>
 *
 * <p>The types of C follow from the types of the methods: {@code byte} to {@code long} for integers of their size,
 * {@code long} also for handles and addresses, {@code float} and {@code double},
 * {@link java.lang.foreign.MemorySegment} for pointers. Annotations say more: {@link Symbol}, {@link Status},
 * {@link IfPresent}, {@link Critical}, {@link Narrow}, {@link CapturesErrno}.
 *
 * <p>A call costs as much as one of a method handle that is a static final constant, if the bound object is one too, or
 * if the JVM knows its class where the call is. A function is linked when it is first called; whether it exists is
 * checked when the interface is bound. Threads: any.
 *
 * @param <T> the interface
 */
public final class Binding<T> {
    private final MethodHandles.Lookup lookup;
    private final Class<T> type;
    private final Options options;

    /**
     * The choices of one binding.
     *
     * @param naming from the declared name of a function to that in the library
     * @param narrow true if types that are marked as {@link Narrow} have half the width
     * @param critical true if all functions are critical; {@code heap} if heap segments may be passed to them
     */
    record Options(
            UnaryOperator<String> naming, boolean narrow, boolean critical, boolean heap, StatusFailure failure) {}

    private Binding(MethodHandles.Lookup lookup, Class<T> type, Options options) {
        this.lookup = lookup;
        this.type = type;
        this.options = options;
    }

    /**
     * Returns the binding of an interface as it is declared.
     *
     * @param lookup of a class in the package of the interface, or in any if the interface is public
     */
    public static <T> Binding<T> of(MethodHandles.Lookup lookup, Class<T> type) {
        if (!type.isInterface()) {
            throw new IllegalArgumentException("functions are bound to an interface, not to " + type.getName());
        }
        StatusFailure failure =
                (function, status) -> new IllegalStateException(function + " failed with status " + status);
        return new Binding<>(lookup, type, new Options(name -> name, false, false, false, failure));
    }

    /** Returns this binding, with functions that have other names in the library than they are declared with. */
    public Binding<T> named(UnaryOperator<String> naming) {
        Objects.requireNonNull(naming, "naming");
        return with(new Options(naming, options.narrow, options.critical, options.heap, options.failure));
    }

    /** Returns this binding, in which types that are marked as {@link Narrow} have half the width. */
    public Binding<T> narrow() {
        return with(new Options(options.naming, true, options.critical, options.heap, options.failure));
    }

    /**
     * Returns this binding, in which all functions are {@link Critical}.
     *
     * @param heap true if heap segments may be passed
     */
    public Binding<T> critical(boolean heap) {
        return with(new Options(options.naming, options.narrow, true, heap, options.failure));
    }

    /** Returns this binding; its methods with a {@link Status} throw exceptions of {@code failure}. */
    public Binding<T> failing(StatusFailure failure) {
        Objects.requireNonNull(failure, "failure");
        return with(new Options(options.naming, options.narrow, options.critical, options.heap, failure));
    }

    private Binding<T> with(Options others) {
        return new Binding<>(lookup, type, others);
    }

    /** Returns the types of the functions by their names in the library, for comparisons with its header. */
    public SortedMap<String, FunctionDescriptor> functions() {
        SortedMap<String, FunctionDescriptor> functions = new TreeMap<>();
        for (ForeignFunction function : declared()) {
            functions.put(function.name(), function.descriptor());
        }
        return functions;
    }

    private List<ForeignFunction> declared() {
        return ForeignFunction.declaredIn(type, options);
    }

    /**
     * Binds the functions of a library.
     *
     * @throws IllegalStateException if the library lacks functions that are not {@link IfPresent}
     * @throws IllegalArgumentException if the interface has a method that cannot be a function of C, or {@code lookup}
     *     has no access to it
     */
    public T to(NativeLibrary library) {
        List<ForeignFunction> functions = declared();
        List<String> missing = functions.stream()
                .filter(function -> !function.optional() && !library.has(function.name()))
                .map(ForeignFunction::name)
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException(missingText(missing));
        }
        byte[] bytes = new CallClass(lookup.lookupClass(), type, functions, library).bytes();
        List<Object> calls = new LinkedCalls(functions, library, options.failure);
        try {
            MethodHandles.Lookup its = lookup.defineHiddenClassWithClassData(bytes, calls, true);
            MethodHandle constructor = its.findConstructor(its.lookupClass(), MethodType.methodType(void.class));
            return type.cast(constructor.invoke());
        } catch (IllegalAccessException | IncompatibleClassChangeError denied) {
            throw new IllegalArgumentException(
                    lookup.lookupClass().getName() + " cannot implement " + type.getName()
                            + ": the lookup must be MethodHandles.lookup() of a class in the interface's package",
                    denied);
        } catch (Throwable impossible) { // of a method handle
            throw new LinkageError("the class that implements " + type.getName() + " cannot be made", impossible);
        }
    }

    /** Names three functions at most: a wrong library lacks all. */
    private static String missingText(List<String> missing) {
        int named = Math.min(3, missing.size());
        String more = missing.size() > named ? " and " + (missing.size() - named) + " more" : "";
        return "it has no function " + String.join(", ", missing.subList(0, named)) + more;
    }

    /** The C function of a method, where it is not the method's name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface Symbol {
        /** The function's name in the library; {@link #named} may change it. */
        String value();
    }

    /**
     * A method without a result, with a C function that returns a status, an {@code int}. The method returns if the
     * status is 0, and else throws the exception of the binding's {@link StatusFailure}. On an interface it applies to
     * each of its methods without a result.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    public @interface Status {}

    /** The exception of a library's statuses: the one place where they become messages. Threads: any. */
    @FunctionalInterface
    public interface StatusFailure {
        /**
         * Returns the exception of a call that failed.
         *
         * @param function the C function's name
         * @param status its status, not 0
         */
        RuntimeException of(String function, int status);
    }

    /**
     * A function that some versions of a library lack. The interface is bound without it. Its method then throws
     * {@link IllegalStateException}; a default method has its own body then, and calls the function where it is
     * present. {@link NativeLibrary#has} tells whether it is.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface IfPresent {}

    /**
     * A function that returns within microseconds and calls nothing back. The thread stays a Java thread during the
     * call, which saves a few nanoseconds and holds the garbage collector off.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface Critical {
        /** True if segments of the heap may be passed. */
        boolean heap() default false;
    }

    /**
     * A parameter or result with a C type of half the width in bindings that are made {@link #narrow narrow}: an
     * {@code int} for a {@code long}, as of handles that are pointers in one library and numbers in another, or a
     * {@code float} for a {@code double}, as of routines in two precisions. On a method it is the result.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.PARAMETER})
    public @interface Narrow {}

    /**
     * A function of which the {@code errno} is kept. The method's first parameter is no parameter of the function but
     * memory of {@link CallState}.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface CapturesErrno {}

    /** The state of the C library that a call of a {@link CapturesErrno} function leaves in memory of the caller. */
    public static final class CallState {
        private static final MemoryLayout LAYOUT = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = LAYOUT.varHandle(PathElement.groupElement("errno"));

        private CallState() {}

        /** Returns memory for the state of one call at a time. */
        public static MemorySegment allocate(SegmentAllocator allocator) {
            return allocator.allocate(LAYOUT);
        }

        /** Returns the {@code errno} of the last call with {@code state}. */
        public static int errno(MemorySegment state) {
            return (int) ERRNO.get(state, 0L);
        }
    }
}
