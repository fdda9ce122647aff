package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.dry.DryRuns.DryStage;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Options;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.task.WaitingItems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The options and declarations of a task.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
final class TaskSettings<A, B> {
    final Map<MemoryEdge<?>, Integer> takes = new LinkedHashMap<>();
    /** The bytes of these buffers together, of the edges that count bytes. */
    final Map<MemoryEdge<?>, Long> takenBytes = new LinkedHashMap<>();

    final Set<SiblingEdge<?>> sends = new LinkedHashSet<>();
    final Rate rate;
    final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    final List<ExecutionTarget> devices = new ArrayList<>();

    /** The work of the body in a dry run; null if it was not stated. */
    @Nullable
    Body<? super A, B> dry;

    /** The time of an item in a dry run. */
    ToLongFunction<? super A> nanos = item -> 0;

    /** The types that the task states; null if the task states none. */
    @Nullable
    Class<?> in;

    @Nullable
    Class<?> out;

    /** The sizes of items, if items are routed to the copies by measured time; else null. */
    @Nullable
    ToLongFunction<? super A> sizes;

    int inFlight = 32;
    /** The time after which the body's idle phase is called, in nanoseconds; 0 for never. */
    long pollNanos;

    @Nullable
    Comparator<? super A> order;

    /** Makes the queue of the items that wait, for each run; null for the usual one. */
    @Nullable
    Supplier<? extends WaitingItems<A>> queue;

    @Nullable
    Termination termination;

    @Nullable
    ErrorHandler<? super A, B> onError;

    TaskSettings(String task) {
        this.rate = new Rate("task \"" + task + '"');
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Returns the options of its stages. */
    @SuppressWarnings("unchecked") // the items of the task are of this type: see Planning
    Options options() {
        return new Options(
                Set.copyOf(traits),
                pollNanos,
                (Comparator<Object>) order,
                null,
                termination,
                (ErrorHandler<Object, Object>) onError,
                new StagePlan.Submitting(List.copyOf(devices), inFlight, (ToLongFunction<Object>) sizes));
    }

    /** Returns the parts of a dry run; null if they were not stated. */
    @SuppressWarnings("unchecked") // as above
    @Nullable
    DryStage dryStage() {
        return dry == null
                ? null
                : new DryStage((Body<Object, Object>) (Body<?, ?>) dry, (ToLongFunction<Object>) nanos);
    }

    /** Returns the problem of a task that cannot route items; null if there is none. */
    @Nullable
    String routingProblem() {
        if (sizes == null) {
            return null;
        }
        return devices.isEmpty()
                ? "routes items by measured time, and its copies are on no targets: name at least two with on(...)"
                : order == null && queue == null
                        ? null
                        : "routes items by measured time, oldest first, and has a "
                                + (queue == null ? "priority" : "queue") + ": leave out one of the two";
    }

    boolean hasTermination() {
        return termination != null || is(Trait.ENDS_CYCLE);
    }
}
