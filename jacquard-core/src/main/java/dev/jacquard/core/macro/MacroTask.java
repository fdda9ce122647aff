package dev.jacquard.core.macro;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One task of a graph that does the work of many items: on the host by a fork-join, on devices by a pipeline, or on
 * both at once. Immutable; each method returns a macro task with one more property.
 *
 * <pre>{@code
 * MacroTask<Integer> basis = MacroTask.of(200)
 *     .reads(i -> a.rows(i * M, (i + 1) * M))                  // the parts of item i, in the order of the kernel
 *     .writes(i -> x.rows(i * M, (i + 1) * M))
 *     .kernel(solve)
 *     .where(MacroTask.Where.BOTH);
 * basis.submit(session, graph.task("basis").reads(a).writes(x)).task().join();
 * }</pre>
 *
 * <p>Parts that items write must not overlap parts of other items.
 *
 * <p>Source: the abstract-runtime-system document, section II-C (macro tasks).
 *
 * @param <T> the type of the items
 */
public final class MacroTask<T> {
    private ItemDefinition<T> items;
    private ForkJoinDriver driver = ForkJoinDriver.WORKERS;
    private PipelineDriver pipeline = PipelineDriver.named("streams");
    private Where where = Where.ANY;
    private @Nullable KernelBody before;
    private @Nullable KernelBody after;

    private MacroTask(ItemDefinition<T> items) {
        this.items = items;
    }

    private MacroTask(MacroTask<T> other) {
        this(other.items);
        driver = other.driver;
        pipeline = other.pipeline;
        where = other.where;
        before = other.before;
        after = other.after;
    }

    /**
     * Returns a macro task with the items 0 to {@code count} - 1.
     *
     * @throws IllegalArgumentException for a negative count
     */
    public static MacroTask<Integer> of(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("a macro task has 0 items or more, not " + count);
        }
        return new MacroTask<>(ItemDefinition.of(count));
    }

    /** Returns a macro task with an item for each element. */
    public static <T> MacroTask<T> of(List<? extends T> items) {
        return new MacroTask<>(ItemDefinition.of(List.copyOf(items)));
    }

    // ---- the work

    /** Sets the work of an item on the host. */
    public MacroTask<T> body(Body<? super T> work) {
        return with(items.with(Objects.requireNonNull(work, "work")));
    }

    /**
     * Sets the work of an item as a kernel, with the same numbers for all items. Its data are the parts of the item. On
     * the host a {@link #body} is preferred.
     */
    public MacroTask<T> kernel(Kernel work, Number... same) {
        Number[] all = same.clone();
        return kernel(work, index -> all);
    }

    /** Sets the work of an item as a kernel, with numbers that depend on the index of the item. */
    public MacroTask<T> kernel(Kernel work, IntFunction<Number[]> ofItem) {
        return with(items.with(Objects.requireNonNull(work, "work"), Objects.requireNonNull(ofItem, "ofItem")));
    }

    /** Adds a part that an item reads, by the index of the item. The task has to declare an access that covers it. */
    public MacroTask<T> reads(IntFunction<View> part) {
        return part(part, view -> Access.read(Parts.area(view.box())));
    }

    /** Adds a part that an item reads and writes, and no other item accesses; like {@link #reads}. */
    public MacroTask<T> updates(IntFunction<View> part) {
        return part(part, view -> Access.update(Parts.area(view.box())));
    }

    /** Adds a part that an item writes without reading it, and no other item accesses; like {@link #reads}. */
    public MacroTask<T> writes(IntFunction<View> part) {
        return part(part, view -> Access.write(Parts.area(view.box())));
    }

    private MacroTask<T> part(IntFunction<View> part, Function<View, Access> access) {
        return with(items.with(new ItemDefinition.Part(Objects.requireNonNull(part, "part"), access)));
    }

    private MacroTask<T> with(ItemDefinition<T> changed) {
        MacroTask<T> its = new MacroTask<>(this);
        its.items = changed;
        return its;
    }

    /** Sets work that is done once before the items, by a worker. */
    public MacroTask<T> before(KernelBody work) {
        MacroTask<T> its = new MacroTask<>(this);
        its.before = Objects.requireNonNull(work, "work");
        return its;
    }

    /** Sets work that is done once after all items have ended well, by a worker. */
    public MacroTask<T> after(KernelBody work) {
        MacroTask<T> its = new MacroTask<>(this);
        its.after = Objects.requireNonNull(work, "work");
        return its;
    }

    // ---- drivers

    /** Sets the threads for items on the host; {@link ForkJoinDriver#WORKERS} by default. */
    public MacroTask<T> forkJoin(ForkJoinDriver choice) {
        MacroTask<T> its = new MacroTask<>(this);
        its.driver = Objects.requireNonNull(choice, "choice");
        return its;
    }

    /** Sets the driver of that name; see {@link ForkJoinDriver#named}. */
    public MacroTask<T> forkJoin(String name) {
        return forkJoin(ForkJoinDriver.named(name));
    }

    /** Sets how items go through devices; four streams by default. */
    public MacroTask<T> pipeline(PipelineDriver choice) {
        MacroTask<T> its = new MacroTask<>(this);
        its.pipeline = Objects.requireNonNull(choice, "choice");
        return its;
    }

    /** Sets the driver of that name; see {@link PipelineDriver#named}. */
    public MacroTask<T> pipeline(String name) {
        return pipeline(PipelineDriver.named(name));
    }

    /** Sets where the items are done; {@link Where#ANY} by default. */
    public MacroTask<T> where(Where choice) {
        MacroTask<T> its = new MacroTask<>(this);
        its.where = Objects.requireNonNull(choice, "choice");
        return its;
    }

    // ---- submission

    /**
     * Submits the macro task as one task of a graph, which is over when all its items are.
     *
     * @param declared the task, with accesses that cover the accesses of all items, for the host
     * @throws IllegalArgumentException if the macro task has no work, or if its kernel is to run in batches and is not
     *     batchable
     * @throws IllegalStateException if no place of the session can do the work; see also {@link TaskBuilder#start}
     */
    public Submitted submit(Session session, TaskBuilder declared) {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(declared, "declared");
        try {
            new MacroPlaces<>(this, session).require(declared.name());
        } catch (RuntimeException e) {
            declared.withdraw();
            throw e;
        }
        AtomicReference<@Nullable MacroRun<T>> latest = new AtomicReference<>();
        Task<Report> its = declared.start(context -> {
            begin(context);
            KernelBody last = after;
            if (last != null) {
                context.afterwards(last::run);
            }
            MacroRun<T> run = new MacroPlaces<>(this, session).run(context);
            latest.set(run);
            run.begin();
            return run;
        });
        return new Submitted(its, () -> {
            MacroRun<T> run = latest.get();
            return run == null ? new Report(items.size(), 0, 0, 0, Map.of()) : run.report();
        });
    }

    /**
     * Returns the macro task as a body that does all items on the workers before it returns: for tasks of
     * {@linkplain dev.jacquard.core.compiled.CompiledGraph compiled graphs}.
     *
     * @throws IllegalStateException if the macro task has no work for the host, or another driver than
     *     {@link ForkJoinDriver#WORKERS}
     */
    public KernelBody inBody() {
        if (!items.hasHost() || driver != ForkJoinDriver.WORKERS) {
            throw new IllegalStateException(
                    "a macro task in the body of a task ends with the body: it needs work for the"
                            + " host, and the driver \"workers\", not \"" + driver.name() + "\"; or submit(...) it");
        }
        return context -> {
            begin(context);
            MacroRun<T> run = new MacroRun<>(this, context, null, true, List.of());
            run.begin();
            run.throwFailure();
            KernelBody last = after;
            if (last != null) {
                last.run(context);
            }
        };
    }

    private void begin(BodyContext context) throws Exception {
        KernelBody first = before;
        if (first != null) {
            first.run(context);
        }
    }

    // ---- for runs

    ItemDefinition<T> items() {
        return items;
    }

    ForkJoinDriver driver() {
        return driver;
    }

    PipelineDriver pipelineDriver() {
        return pipeline;
    }

    Where where() {
        return where;
    }

    /** The places of the items. */
    public enum Where {
        /**
         * The devices of the session for which there is a kernel, unless the host was measured to be faster; else the
         * host.
         */
        ANY,
        /** The host. */
        HOST,
        /** The devices of the session for which there is a kernel. */
        DEVICES,
        /** The host and these devices, each with as many items as it can do by the end. */
        BOTH
    }

    /**
     * The work of an item on the host.
     *
     * @param <T> the type of the items
     */
    @FunctionalInterface
    public interface Body<T> {
        /** Does the work. An exception fails the macro task, and its items that have not begun do not run. */
        void run(Item<? extends T> item) throws Exception;
    }

    /**
     * An item as its body sees it. Valid while the body runs.
     *
     * @param <T> the type of the items
     * @param index the index of the item, from 0 on
     * @param value the item
     * @param context the context of the macro task
     * @param parts the parts of the item, in the order in which the macro task has them
     */
    public record Item<T>(int index, T value, BodyContext context, List<View> parts) {
        /** Returns the elements of a part of the item. Throws like {@link BodyContext#memory(View)}. */
        public Memory memory(int part) {
            return context.memory(parts.get(part));
        }

        /** Returns the value of a handle of the macro task. Throws like {@link BodyContext#get(Handle)}. */
        public <V> V get(Handle<V> handle) {
            return context.get(handle);
        }

        /** Returns true if the graph was cancelled: a long body returns early. */
        public boolean cancelled() {
            return context.cancelled();
        }
    }

    /**
     * The counts of a macro task's items.
     *
     * @param items all
     * @param done the items that ended well
     * @param failed the items that failed
     * @param cancelled the items that did not run, since another item failed or the graph was cancelled
     * @param places how many items were done in each place, by its name
     */
    public record Report(int items, int done, int failed, int cancelled, Map<String, Integer> places) {
        public Report {
            places = Map.copyOf(places);
        }

        @Override
        public String toString() {
            return done + " of " + items + " items done, " + failed + " failed, " + cancelled + " cancelled";
        }
    }

    /** A macro task that was submitted. Threads: any. */
    public static final class Submitted {
        private final Task<Report> task;
        private final Supplier<Report> report;

        Submitted(Task<Report> task, Supplier<Report> report) {
            this.task = task;
            this.report = report;
        }

        /** Returns the task. */
        public Task<Report> task() {
            return task;
        }

        /** Waits for the task and returns its counts. Throws like {@link Task#join}. */
        public Report join() {
            return task.join();
        }

        /** Returns the counts so far, of the last try. */
        public Report report() {
            return report.get();
        }
    }
}
