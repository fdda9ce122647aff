package dev.jacquard.core.graph;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of a kernel on the host: numbers, then data. */
final class HostArguments implements Arguments {
    private final List<Object> numbers;
    private final List<View> data;
    private final TaskContext context;

    HostArguments(List<Object> numbers, @Nullable Object[] accesses, TaskContext context) {
        this(numbers, views(accesses), context);
    }

    HostArguments(List<Object> numbers, List<View> data, TaskContext context) {
        this.numbers = numbers;
        this.data = data;
        this.context = context;
    }

    private static List<View> views(@Nullable Object[] accesses) {
        List<View> views = new ArrayList<>();
        for (int i = 0; i < accesses.length; i += 2) {
            if (accesses[i] instanceof Data its) {
                views.add(new View(its, Parts.box(its, Accesses.access(accesses, i))));
            }
        }
        return views;
    }

    private Number at(int index) {
        if (index < 0 || index >= numbers.size()) {
            throw new IndexOutOfBoundsException("task \"" + context.name() + "\" was given " + numbers.size()
                    + " numbers; its kernel asks for argument " + index + " as one");
        }
        return (Number) numbers.get(index);
    }

    @Override
    public double number(int index) {
        return at(index).doubleValue();
    }

    @Override
    public long integer(int index) {
        return at(index).longValue();
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
    public TaskContext context() {
        return context;
    }
}
