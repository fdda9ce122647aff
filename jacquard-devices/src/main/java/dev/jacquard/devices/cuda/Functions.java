package dev.jacquard.devices.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Native functions of a library by what they take, so that a call with the wrong types does not compile.
 *
 * <p>A signature is an interface. Its name has a letter per parameter: {@code J} for 64 bits, which are addresses,
 * handles and sizes, and {@code I} for 32 bits, which are numbers and enumerations. All return a status of 32 bits.
 * Addresses travel as numbers: the maker of the memory keeps it until the call is over. Calls allocate nothing.
 * Signatures are public because a method handle takes the form of a public interface only.
 */
abstract class Functions {
    final Symbols library;

    Functions(Symbols library) {
        this.library = library;
    }

    /**
     * Finds a function.
     *
     * @throws IllegalStateException when the library has no such function
     */
    final <S> S function(Class<S> signature, String name) {
        FunctionDescriptor type = type(signature.getMethods()[0]);
        MethodHandle handle = Linker.nativeLinker().downcallHandle(type).bindTo(library.find(name, type));
        return MethodHandleProxies.asInterfaceInstance(signature, handle);
    }

    private static FunctionDescriptor type(Method call) {
        MemoryLayout[] parameters =
                Arrays.stream(call.getParameterTypes()).map(Functions::layout).toArray(MemoryLayout[]::new);
        return FunctionDescriptor.of(layout(call.getReturnType()), parameters);
    }

    private static MemoryLayout layout(Class<?> number) {
        return number == long.class ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }

    public interface I {
        int call(int a);
    }

    public interface J {
        int call(long a);
    }

    public interface IJ {
        int call(int a, long b);
    }

    public interface JI {
        int call(long a, int b);
    }

    public interface JJ {
        int call(long a, long b);
    }

    public interface IJJ {
        int call(int a, long b, long c);
    }

    public interface JII {
        int call(long a, int b, int c);
    }

    public interface JIJ {
        int call(long a, int b, long c);
    }

    public interface JJI {
        int call(long a, long b, int c);
    }

    public interface JJJ {
        int call(long a, long b, long c);
    }

    public interface JIII {
        int call(long a, int b, int c, int d);
    }

    public interface JJJJ {
        int call(long a, long b, long c, long d);
    }

    public interface JJJJJI {
        int call(long a, long b, long c, long d, long e, int f);
    }

    public interface JJJJJJ {
        int call(long a, long b, long c, long d, long e, long f);
    }

    public interface JJJIJJ {
        int call(long a, long b, long c, int d, long e, long f);
    }

    public interface JIIIIIIIJJJ {
        int call(long a, int b, int c, int d, int e, int f, int g, int h, long i, long j, long k);
    }

    public interface JIJJIJI {
        int call(long a, int b, long c, long d, int e, long f, int g);
    }

    public interface JIIIIIJJIJIJJI {
        int call(
                long a, int b, int c, int d, int e, int f, long g, long h, int i, long j, int k, long l, long m, int n);
    }

    public interface JIIJIJ {
        int call(long a, int b, int c, long d, int e, long f);
    }

    public interface JIIJIJJJ {
        int call(long a, int b, int c, long d, int e, long f, long g, long h);
    }

    public interface JIIIJIJJIJ {
        int call(long a, int b, int c, int d, long e, int f, long g, long h, int i, long j);
    }

    public interface JIIJIJIJ {
        int call(long a, int b, int c, long d, int e, long f, int g, long h);
    }
}
