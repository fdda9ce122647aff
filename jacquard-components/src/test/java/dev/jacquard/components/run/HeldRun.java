package dev.jacquard.components.run;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Plug;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;

/**
 * A parallel run whose executions are the steps of a race: what becomes ready is held, and actors run it.
 *
 * <p>Threads: any, behind the constructor.
 */
final class HeldRun implements Workers, WorkerContext {
    private static final Trace TRACE = new Trace(Clock.system(), 0);
    private static final SocketType<Long> LONG = SocketType.of(Long.class);
    private static final Source<Long> OUT = Source.of("out", LONG, "a number");
    private static final Source<Long> AGAIN = Source.again("again", LONG, "a number");
    private static final Sink<Long> BACK = Sink.optional("back", LONG, "a number");
    /** How often a thread looks for the other: some microseconds. */
    private static final int PATIENCE = 1_000;

    private static final Settings NONE = Settings.ofDefaults(List.of());
    private static final OutputFolder FOLDER = folder();

    /** Executions by the number of the part. */
    final AtomicIntegerArray executions;

    final Cancellation users = new Cancellation();
    final Passes passes;
    private final Breakage broken = new Breakage();
    private final Stops stops;
    private final ParallelRun run;
    /** Executions that were started, of workers and of threads. */
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

    /** How many executions may still be started; for further ones there is no thread. */
    private final AtomicInteger startable;

    private final AtomicInteger actors = new AtomicInteger();
    private final AtomicInteger arrived = new AtomicInteger();

    /** What an execution does; returns true if a loop is to be left. */
    @FunctionalInterface
    interface Work {
        boolean execute(int part, int execution) throws Exception;
    }

    /** Parts, each named by its number, and their wires. Immutable. */
    static final class Shape {
        private final List<Part> parts = new ArrayList<>();
        private final Plan plan;

        /**
         * A program.
         *
         * @param reads of each part the numbers of those that it reads
         * @param entry the part where a loop begins, in which all lie that read it; -1 for none
         * @param exit the last part of the loop
         */
        Shape(List<List<Integer>> reads, int entry, int exit) {
            List<Plug> plugs = new ArrayList<>();
            for (int i = 0; i < reads.size(); i++) {
                List<ComponentSocket<?>> sockets = new ArrayList<>(List.of(OUT, BACK));
                for (int read : reads.get(i)) {
                    sockets.add(Sink.optional("in" + read, LONG, "a number"));
                    plugs.add(new Plug("p" + i + ".in" + read, "p" + read + ".out", "here"));
                }
                if (i == exit) {
                    sockets.add(AGAIN);
                    plugs.add(new Plug("p" + entry + ".back", "p" + exit + ".again", "here"));
                }
                boolean isInside = i != exit && reads.get(i).contains(entry);
                parts.add(new Part("p" + i, "held", "here", sockets, isInside ? "p" + exit : null, "here"));
            }
            List<String> errors = new ArrayList<>();
            plan = Plan.of(parts, List.of(), plugs, errors);
            if (!errors.isEmpty()) {
                throw new IllegalArgumentException(errors.toString());
            }
        }
    }

    /** The component of all parts. */
    private final class Held implements Component {
        private final boolean waits;
        private final Work work;

        Held(boolean waits, Work work) {
            this.waits = waits;
            this.work = work;
        }

        @Override
        public String name() {
            return "held";
        }

        @Override
        public String description() {
            return "does what a race says";
        }

        @Override
        public boolean neverWaits() {
            return !waits;
        }

        @Override
        public Instance open(ComponentContext context) {
            int part = Integer.parseInt(context.name().substring(1));
            return () -> {
                try {
                    return work.execute(part, executions.incrementAndGet(part));
                } finally {
                    meet();
                }
            };
        }
    }

    /**
     * Begins a run.
     *
     * @param waits whether executions may wait, and so get threads
     */
    HeldRun(Shape shape, boolean waits, Work work) {
        this(shape, waits, work, Integer.MAX_VALUE);
    }

    /**
     * Begins a run for which the workers lack threads.
     *
     * @param waits whether executions may wait, and so get threads
     * @param startable how many executions can be started
     */
    @SuppressWarnings("NullAway") // there is no session, for which only parts could ask
    HeldRun(Shape shape, boolean waits, Work work, int startable) {
        this.startable = new AtomicInteger(startable);
        executions = new AtomicIntegerArray(shape.parts.size());
        passes = new Passes(shape.plan);
        stops = new Stops(this, passes, users, new Cancellation());
        Component component = new Held(waits, work);
        List<CheckedPart> parts = shape.parts.stream()
                .map(part -> new CheckedPart(part, component, NONE, 0, 1, null))
                .toList();
        Surroundings surroundings = new Surroundings(FOLDER, Progress.NONE, stops.cancellation(), false);
        try {
            OpenedParts opened = OpenedParts.open(shape.plan, parts, null, surroundings, RankScope.none(), null);
            run = new ParallelRun(shape.plan, opened, passes, stops, this, null);
        } catch (ComponentFailedException e) {
            throw new IllegalStateException(e);
        }
        run.begin();
    }

    /** Does what an actor does: from now on executions end where two of them meet. */
    void act(Runnable what) {
        actors.incrementAndGet();
        what.run();
    }

    /** Waits a little for the other actor, so that what follows happens at the same time. */
    void meet() {
        if (actors.get() > 0) {
            int all = arrived.incrementAndGet();
            for (int i = 0; i < PATIENCE && all < 2; i++) {
                Thread.onSpinWait();
                all = arrived.get();
            }
        }
    }

    /** Takes the execution that was started first, of those that nothing has run. */
    Runnable next() {
        return Objects.requireNonNull(held.poll(), "nothing was started");
    }

    /** Runs one execution after the other, as long as some are started; returns whether the program is over then. */
    boolean finish() {
        for (Runnable next = held.poll(); next != null; next = held.poll()) {
            if (run.isOver()) {
                return false; // too early
            }
            next.run();
        }
        return run.isOver();
    }

    /** Returns how the run ended: 0 well, 1 cancelled, 2 failed. */
    int end() {
        try {
            stops.check();
            return 0;
        } catch (CancellationException e) {
            return 1;
        } catch (Exception e) {
            return 2;
        }
    }

    // ---- the workers

    @Override
    public void ready(Node node) {
        start(() -> node.run(this));
    }

    @Override
    public void background(Runnable action) {
        start(action);
    }

    private void start(Runnable action) {
        if (startable.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("no thread, as the test says");
        }
        held.add(action);
    }

    @Override
    public Breakage broken() {
        return broken;
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        throw new UnsupportedOperationException("parts ask for none");
    }

    @Override
    public int workers() {
        return 2;
    }

    @Override
    public void awaitUntil(BooleanSupplier done) {}

    @Override
    public void signal() {}

    @Override
    public int index() {
        return 0;
    }

    @Override
    public TraceLane lane() {
        return TRACE.lane("race");
    }

    @Override
    public Trace trace() {
        return TRACE;
    }

    private static OutputFolder folder() {
        try {
            Path folder = Files.createTempDirectory("races");
            return OutputFolder.open(folder.resolve("out"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
