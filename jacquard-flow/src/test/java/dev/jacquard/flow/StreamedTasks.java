package dev.jacquard.flow;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Components.Control;
import dev.jacquard.core.testing.random.Streams;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The streams whose bodies submit tasks of the core's random programs. Threads: any. */
public final class StreamedTasks implements Streams {
    @Override
    public @Nullable Exception run(Shape stream, Session session, Work work) {
        OneRun its = new OneRun(stream, work);
        Random random = new Random(stream.seed());
        FlowRun.Options options = FlowRun.Options.defaults().withInputBound(stream.bound());
        FlowGraph<Step, Step> graph = FlowGraph.build("streamed", g -> its.build(g, random));
        @Nullable Exception end = null;
        FlowRun<Step, Step> run =
                graph.start(session, random.nextInt(5) == 0 ? options.withDedicatedThreads() : options);
        its.run = run;
        BitSet ended = new BitSet();
        FutureTask<Void> closesToo = new FutureTask<>(run::close, null);
        try (run) {
            its.feed(run, random);
            for (Step step : run) {
                ended.set(step.item());
            }
            if (random.nextInt(3) == 0) {
                Thread.ofPlatform().start(closesToo);
            }
        } catch (RuntimeException e) {
            end = e;
        }
        if (end == null || end instanceof FlowFailedException || end instanceof CancellationException) {
            RandomFlow.checkNothingIsLost(run); // where the engine has ended, copies have not
            its.checkFreed();
        }
        if (end == null && ended.cardinality() != stream.items().size()) {
            throw new IllegalStateException("of " + stream.items().size() + " items these came out: " + ended);
        }
        return end;
    }

    /** An item, on its way to the gate or from there. */
    private record Step(int item, boolean isDone) {}

    /**
     * What the bodies and rules of a run share. Threads: any; {@link #run} is written before the first item is sent.
     */
    private static final class OneRun {
        private final Shape stream;
        private final Work work;
        private final Control control = new Control() {
            @Override
            public boolean isCancelled() {
                return run().isDone();
            }

            @Override
            public void cancel() {
                run().cancel();
            }
        };
        /** Null before the start. */
        private volatile @Nullable FlowRun<Step, Step> run;

        private final AtomicInteger allocated = new AtomicInteger();
        private final Allocator<int[]> counting = new Allocator<>() {
            @Override
            public int[] allocate() {
                allocated.incrementAndGet();
                return new int[1];
            }

            @Override
            public void free(int[] buffer) {
                allocated.decrementAndGet();
            }
        };

        OneRun(Shape stream, Work work) {
            this.stream = stream;
            this.work = work;
        }

        private FlowRun<Step, Step> run() {
            return Objects.requireNonNull(run);
        }

        /** Looks at what each close has freed when it returns, also beside another one. */
        void checkFreed() {
            if (allocated.get() != 0) {
                throw new IllegalStateException("the run was closed, and " + allocated + " buffers are not free");
            }
        }

        void build(FlowBuilder<Step, Step> g, Random random) {
            g.memory("counted", 1 + random.nextInt(2), counting).takenOutside().releasedOutside();
            @Nullable
            MemoryEdge<Data> lent = stream.buffers() == 0
                    ? null
                    : g.memory("lent", stream.buffers(), Layout.of(DataType.INT64, Shape.BUFFER_BYTES / Long.BYTES));
            Bookkeeper<Step> gate = g.bookkeeper("gate");
            g.input().to(gate);
            gate.rulePerRun(() -> new Over()).to(g.output());
            for (boolean waits : new boolean[] {false, true}) {
                boolean inBody = lent != null && waits && random.nextInt(2) == 0;
                int copies = inBody ? waiting() : waits ? stream.waiting() : stream.copies();
                FlowTask<Step, Step> task = g.task(waits ? "waits" : "submits", copies, () -> new Executing(lent));
                if (waits) {
                    task.dedicated();
                }
                if (lent != null && !inBody) {
                    task.takes(lent);
                }
                if (lent != null) {
                    task.releases(lent);
                }
                // A body that waits for a buffer holds up the items and the continuations of its copy.
                FlowTask<Step, Step> last = inBody ? task.oneByOne().inFlight(1) : mode(task, random);
                last.terminatedWhen(Termination.whenDrained());
                gate.rulePerRun(() -> new Gate(its -> its.waits() == waits)).to(task);
                task.to(gate);
            }
        }

        private int waiting() {
            return Math.max(1, (int) stream.items().stream().filter(Item::waits).count());
        }

        private static FlowTask<Step, Step> mode(FlowTask<Step, Step> task, Random random) {
            FlowTask<Step, Step> its = random.nextInt(3) == 0 ? task.oneByOne() : task;
            return random.nextInt(3) == 0 ? its.inFlight(1 + random.nextInt(3)) : its;
        }

        /** Sends all items: in any order, unless they take buffers, which come to the eldest first. */
        void feed(FlowRun<Step, Step> its, Random random) {
            List<Integer> items = new ArrayList<>(
                    IntStream.range(0, stream.items().size()).boxed().toList());
            if (stream.buffers() == 0) {
                Collections.shuffle(items, random);
            }
            for (int item : items) {
                its.send(new Step(item, false));
            }
            its.finish();
        }

        /** Lets those of some items pass that need wait for none any more. */
        private final class Gate implements Rule<Step, Step> {
            private final Predicate<Item> mine;
            private final BitSet done = new BitSet();
            private final List<Step> held = new ArrayList<>();

            Gate(Predicate<Item> mine) {
                this.mine = mine;
            }

            @Override
            public void apply(Step step, int pipeline, Emitter<Step> out) {
                if (step.isDone()) {
                    done.set(step.item());
                } else if (mine.test(stream.items().get(step.item()))) {
                    held.add(step);
                }
                held.removeIf(one -> {
                    boolean passes =
                            stream.items().get(one.item()).behind().stream().allMatch(done::get);
                    if (passes) {
                        out.emit(one);
                    }
                    return passes;
                });
            }
        }

        /** Submits the tasks of items, and some on a buffer, behind which the item is done. */
        private final class Executing implements Body<Step, Step> {
            private final @Nullable MemoryEdge<Data> lent;

            Executing(@Nullable MemoryEdge<Data> lent) {
                this.lent = lent;
            }

            @Override
            public void execute(Step step, Emitter<Step> out) throws Exception {
                Step over = new Step(step.item(), true);
                Item item = stream.items().get(step.item());
                MemoryEdge<Data> edge = lent;
                @Nullable Handle<Data> buffer = edge == null || !item.takes() ? null : out.take(edge);
                if (buffer != null) {
                    fill(buffer.value(), step.item(), out);
                }
                work.execute(step.item(), item.owns() ? out.graph() : null, control);
                if (buffer == null && !item.owns()) {
                    out.emit(over);
                    return;
                }
                out.whenDone(then -> {
                    work.over(step.item());
                    if (buffer != null) {
                        then.release(buffer);
                    }
                    then.emit(over);
                });
            }
        }
    }

    /** Sends on what is done. */
    private static final class Over implements Rule<Step, Step> {
        @Override
        public void apply(Step step, int pipeline, Emitter<Step> out) {
            if (step.isDone()) {
                out.emit(step);
            }
        }
    }

    /** Writes and reads a buffer by tasks of the item, which fail if another item has it too. */
    private static void fill(Data buffer, int number, Emitter<Step> out) {
        out.graph().task("fill").writes(buffer).run(ctx -> {
            MemorySegment cells = ctx.memory(buffer).segment();
            for (long i = 0; i < Shape.BUFFER_BYTES; i += Long.BYTES) {
                cells.set(ValueLayout.JAVA_LONG, i, number);
            }
        });
        out.graph().task("check").reads(buffer).run(ctx -> {
            MemorySegment cells = ctx.memory(buffer).segment();
            for (long i = 0; i < Shape.BUFFER_BYTES; i += Long.BYTES) {
                long found = cells.get(ValueLayout.JAVA_LONG, i);
                if (found != number) {
                    throw new IllegalStateException("the buffer of item " + number + " has " + found);
                }
            }
        });
    }
}
