package dev.jacquard.base.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.jacquard.base.foreign.Binding.CapturesErrno;
import dev.jacquard.base.foreign.Binding.Critical;
import dev.jacquard.base.foreign.Binding.IfPresent;
import dev.jacquard.base.foreign.Binding.Narrow;
import dev.jacquard.base.foreign.Binding.Status;
import dev.jacquard.base.foreign.Binding.Symbol;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A function as a method declares it.
 *
 * @param name in the library
 * @param descriptor its type in C
 * @param handleType the type of the method handle that the method calls
 * @param checked true if its result is a status that the method checks
 * @param optional true if the library may lack it
 */
record ForeignFunction(
        Method method,
        String name,
        FunctionDescriptor descriptor,
        MethodType handleType,
        boolean checked,
        boolean optional,
        List<Linker.Option> linking) {

    /** Returns the functions that an interface declares, in the order of their names. */
    static List<ForeignFunction> declaredIn(Class<?> type, Binding.Options options) {
        boolean allChecked = type.isAnnotationPresent(Status.class);
        return Arrays.stream(type.getMethods())
                .filter(ForeignFunction::isFunction)
                .map(method -> of(method, allChecked, options))
                .sorted(Comparator.comparing(ForeignFunction::name))
                .toList();
    }

    private static boolean isFunction(Method method) {
        return Modifier.isAbstract(method.getModifiers())
                || (method.isDefault() && method.isAnnotationPresent(IfPresent.class));
    }

    private static ForeignFunction of(Method method, boolean allChecked, Binding.Options options) {
        boolean isVoid = method.getReturnType() == void.class;
        boolean marked = method.isAnnotationPresent(Status.class);
        if (marked && !isVoid) {
            throw refused(method, "is marked as @Status and has a result: such a method is void");
        }
        boolean checked = isVoid && (marked || allChecked);
        MethodType handleType =
                MethodType.methodType(checked ? int.class : method.getReturnType(), method.getParameterTypes());
        Symbol symbol = method.getAnnotation(Symbol.class);
        String name = options.naming().apply(symbol == null ? method.getName() : symbol.value());
        return new ForeignFunction(
                method,
                name,
                descriptor(method, checked, options.narrow()),
                handleType,
                checked,
                method.isAnnotationPresent(IfPresent.class),
                linking(method, options));
    }

    private static FunctionDescriptor descriptor(Method method, boolean checked, boolean narrow) {
        List<MemoryLayout> parameters = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            parameters.add(layout(method, parameter.getType(), parameter, narrow));
        }
        if (method.isAnnotationPresent(CapturesErrno.class)) {
            if (parameters.isEmpty() || !parameters.getFirst().equals(ADDRESS)) {
                throw refused(method, "captures errno, but its first parameter is no MemorySegment for the state");
            }
            parameters.removeFirst();
        }
        MemoryLayout[] all = parameters.toArray(MemoryLayout[]::new);
        if (checked) {
            return FunctionDescriptor.of(JAVA_INT, all);
        }
        return method.getReturnType() == void.class
                ? FunctionDescriptor.ofVoid(all)
                : FunctionDescriptor.of(layout(method, method.getReturnType(), method, narrow), all);
    }

    private static ValueLayout layout(Method method, Class<?> type, AnnotatedElement of, boolean narrow) {
        boolean marked = of.isAnnotationPresent(Narrow.class);
        if (marked && type != long.class && type != double.class) {
            throw refused(method, "marks a " + type.getSimpleName() + " as @Narrow: only long and double can be");
        }
        boolean half = marked && narrow;
        if (type == long.class) {
            return half ? JAVA_INT : JAVA_LONG;
        }
        if (type == double.class) {
            return half ? JAVA_FLOAT : JAVA_DOUBLE;
        }
        return switch (type.getName()) {
            case "int" -> JAVA_INT;
            case "short" -> JAVA_SHORT;
            case "byte" -> JAVA_BYTE;
            case "float" -> JAVA_FLOAT;
            case "java.lang.foreign.MemorySegment" -> ADDRESS;
            default ->
                throw refused(
                        method,
                        "has the type " + type.getName()
                                + ": functions of C take and return byte, short, int, long, float, double and "
                                + MemorySegment.class.getName());
        };
    }

    private static List<Linker.Option> linking(Method method, Binding.Options options) {
        List<Linker.Option> linking = new ArrayList<>();
        Critical critical = method.getAnnotation(Critical.class);
        if (critical != null || options.critical()) {
            linking.add(Linker.Option.critical(options.heap() || (critical != null && critical.heap())));
        }
        if (method.isAnnotationPresent(CapturesErrno.class)) {
            linking.add(Linker.Option.captureCallState("errno"));
        }
        return linking;
    }

    private static IllegalArgumentException refused(Method method, String what) {
        return new IllegalArgumentException("method " + method.getName() + " of "
                + method.getDeclaringClass().getName() + " " + what);
    }

    /** Returns a handle of the type {@link #handleType} that calls the function at {@code address}. */
    MethodHandle link(MemorySegment address) {
        MethodHandle handle =
                Linker.nativeLinker().downcallHandle(address, descriptor, linking.toArray(Linker.Option[]::new));
        return MethodHandles.explicitCastArguments(handle, handleType);
    }
}
