package dev.jacquard.base.foreign;

import dev.jacquard.base.foreign.Binding.StatusFailure;
import java.util.AbstractList;
import java.util.List;

/**
 * The constants of a {@link CallClass}: a method handle per function, and after them the exception of statuses. A
 * function is linked when the JVM asks for its constant, which it does when the function is first called. Two threads
 * may link the same function at a time, and the JVM keeps one of the handles.
 */
final class LinkedCalls extends AbstractList<Object> {
    private final List<ForeignFunction> functions;
    private final NativeLibrary library;
    private final StatusFailure failure;

    LinkedCalls(List<ForeignFunction> functions, NativeLibrary library, StatusFailure failure) {
        this.functions = functions;
        this.library = library;
        this.failure = failure;
    }

    @Override
    public Object get(int index) {
        if (index == functions.size()) {
            return failure;
        }
        ForeignFunction function = functions.get(index);
        return function.link(library.require(function.name()));
    }

    @Override
    public int size() {
        return functions.size() + 1;
    }
}
