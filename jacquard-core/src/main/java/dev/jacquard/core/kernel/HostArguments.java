package dev.jacquard.core.kernel;

import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of a kernel on the host: numbers, then data. */
final class HostArguments implements Arguments {
    private final @Nullable Parameters parameters;
    private final List<Object> numbers;
    private final List<View> data;
    private final KernelContext context;

    HostArguments(@Nullable Parameters parameters, List<Object> numbers, List<View> data, KernelContext context) {
        this.parameters = parameters;
        this.numbers = numbers;
        this.data = data;
        this.context = context;
    }

    private Number at(int index) {
        if (index < 0 || index >= numbers.size()) {
            throw new IndexOutOfBoundsException("task \"" + context.name() + "\" was given " + numbers.size()
                    + " numbers; its kernel asks for argument " + index + " as one");
        }
        return (Number) numbers.get(index);
    }

    private long whole(Number number, String which) {
        if (number instanceof Integer || number instanceof Long) {
            return number.longValue();
        }
        throw new IllegalArgumentException("task \"" + context.name() + "\" was given the "
                + number.getClass().getSimpleName() + " " + number + " as number " + which
                + "; its kernel asks for a whole number: give an Integer or a Long, or let it ask with number()");
    }

    @Override
    public double number(int index) {
        return at(index).doubleValue();
    }

    @Override
    public long integer(int index) {
        return whole(at(index), "" + index);
    }

    @Override
    public Memory memory(int index) {
        int which = index - numbers.size();
        if (which < 0 || which >= data.size()) {
            throw new IndexOutOfBoundsException("task \"" + context.name() + "\" has data at arguments "
                    + numbers.size() + " to " + (numbers.size() + data.size() - 1) + "; its kernel asks for argument "
                    + index + " as data");
        }
        return context.memory(data.get(which));
    }

    @Override
    public double number(String name) {
        return at(indexOf(name, 0, numbers.size(), "number")).doubleValue();
    }

    @Override
    public long integer(String name) {
        return whole(at(indexOf(name, 0, numbers.size(), "number")), '"' + name + '"');
    }

    @Override
    public Memory memory(String name) {
        return parameters == null || parameters.indexOf(name) < 0
                ? context.memory(name)
                : memory(indexOf(name, numbers.size(), numbers.size() + data.size(), "data"));
    }

    private int indexOf(String name, int from, int to, String what) {
        int index = parameters == null ? -1 : parameters.indexOf(name);
        if (index < from || index >= to) {
            throw new IllegalArgumentException("task \"" + context.name() + "\" asks for " + what + " \"" + name
                    + "\" by name, and its kernel "
                    + (parameters == null
                            ? "names no parameters: it can with Kernel.parameters(...)"
                            : "has parameters " + parameters.names() + ", of which the first " + numbers.size()
                                    + " are numbers"));
        }
        return index;
    }

    @Override
    public KernelContext context() {
        return context;
    }
}
