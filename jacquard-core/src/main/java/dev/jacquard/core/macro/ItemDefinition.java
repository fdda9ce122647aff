package dev.jacquard.core.macro;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.text.UserText;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The items of a macro task, and the work of each. Immutable.
 *
 * @param values the items
 * @param body the work on the host; null for that of the kernel
 * @param kernel the work on devices, and on the host without a body; null for none
 * @param numbers the numbers of the kernel by the index of the item
 * @param parts the data of an item
 */
record ItemDefinition<T>(
        List<T> values,
        MacroTask.@Nullable Body<? super T> body,
        @Nullable Kernel kernel,
        IntFunction<Number[]> numbers,
        List<Part> parts) {
    /** The part of some data that an item accesses, by its index, and how. */
    record Part(IntFunction<View> view, Function<View, Access> access) {}

    /** Returns items without work. */
    static <T> ItemDefinition<T> of(List<T> values) {
        return new ItemDefinition<>(values, null, null, index -> new Number[0], List.of());
    }

    /** Returns the items 0 to {@code count} - 1 without work. */
    static ItemDefinition<Integer> of(int count) {
        return of(new Numbers(count));
    }

    ItemDefinition<T> with(MacroTask.Body<? super T> other) {
        return new ItemDefinition<>(values, other, kernel, numbers, parts);
    }

    ItemDefinition<T> with(Kernel other, IntFunction<Number[]> ofItem) {
        return new ItemDefinition<>(values, body, other, ofItem, parts);
    }

    ItemDefinition<T> with(Part part) {
        List<Part> more = new ArrayList<>(parts);
        more.add(part);
        return new ItemDefinition<>(values, body, kernel, numbers, List.copyOf(more));
    }

    int size() {
        return values.size();
    }

    /** Returns true if there is work for the host. */
    boolean hasHost() {
        return body != null || (kernel != null && kernel.targets().contains(ExecutionTarget.HOST));
    }

    /** Returns the text of an item, for messages. */
    String text(int index) {
        return UserText.of(Objects.requireNonNull(values.get(index)));
    }

    /** Does an item on the calling thread. */
    void runOnHost(int index, BodyContext context) throws Exception {
        if (body != null) {
            List<View> views =
                    parts.stream().map(part -> part.view.apply(index)).toList();
            body.run(new MacroTask.Item<>(index, values.get(index), context, views));
        } else if (call(index, context.name()).on(ExecutionTarget.HOST) instanceof KernelCall.OnHost host) {
            host.body().run(context);
        }
    }

    /** Returns the kernel with the arguments of an item, for a device. */
    ItemCall call(int index, String task, Place place) {
        KernelCall call = call(index, task);
        if (call.in(place, true) instanceof KernelCall.OnDevice work) {
            return new ItemCall(index, name(index, task), work, call.accesses());
        }
        throw new IllegalStateException(call + ", and not for " + place);
    }

    /** Returns the kernel with the arguments of an item, for any place. */
    KernelCall call(int index, String task) {
        AccessList.Builder accesses = AccessList.builder();
        for (Part part : parts) {
            View view = part.view.apply(index);
            Access access = part.access.apply(view);
            Parts.requireWithin(name(index, task), view.data(), access);
            accesses.add(view.data(), access);
        }
        return new KernelCall(
                Objects.requireNonNull(kernel), name(index, task), accesses.build(), numbers.apply(index));
    }

    private static String name(int index, String task) {
        return task + " item " + index;
    }

    /** The numbers from 0 on. */
    private static final class Numbers extends AbstractList<Integer> {
        private final int count;

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public Integer get(int index) {
            return Objects.checkIndex(index, count);
        }

        @Override
        public int size() {
            return count;
        }
    }
}
