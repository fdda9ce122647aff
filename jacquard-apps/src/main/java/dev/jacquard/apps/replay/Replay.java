package dev.jacquard.apps.replay;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.Progress;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;

/**
 * Runs described programs on the engine: each body spins for its time.
 *
 * <pre>{@code
 * TaskProgram program = TaskProgram.read(Path.of("examples/replay-tour.json"));
 * ReplayResult result = Replay.run(program, Replay.Options.of(2)).result();
 * System.out.println(result.makespan() + " ns, " + result.count(EndState.FAILED) + " failed");
 * }</pre>
 *
 * <p>Instances are confined to one run; the static method may be called by any thread, which becomes the main thread of
 * the run.
 */
public final class Replay {
    /**
     * A run of a program that is over.
     *
     * @param result its outcome
     * @param trace the actions of the workers; empty when none was asked for
     * @param graph the tasks and edges as the engine had them; empty unless it was to be kept
     * @param placements the reasons of the policy for the places of the newest tasks, the last one last; empty where it
     *     has none
     */
    public record Run(ReplayResult result, Trace trace, Optional<GraphSnapshot> graph, List<Explanation> placements) {
        public Run {
            placements = List.copyOf(placements);
        }

        /**
         * The graph of {@code program}, called {@code name}, with the outcomes of its tasks and the edges that the
         * policy added.
         */
        public GraphSnapshot picture(String name, TaskProgram program) {
            return ReplayPicture.of(name, program, this);
        }

        /**
         * Explains the place and the start of a task of {@code program}: sentences for users.
         *
         * @throws IllegalArgumentException if the program has no task of this name
         */
        public List<String> why(TaskProgram program, String task) {
            if (!program.names().contains(task)) {
                throw new IllegalArgumentException("the program has no task \"" + task + '"');
            }
            return new ReplayReasons(program, this).of(task);
        }
    }

    /**
     * How a program is run.
     *
     * @param workers how many threads run tasks, the calling one included: it is the main thread
     * @param policy which ready task runs next, and where
     * @param keepsGraph whether the graph of tasks is wanted, to look at
     * @param spansPerWorker how many spans the trace keeps of each worker; 0 for no trace
     * @param clock on which bodies spin and with which results are measured
     * @param progress receives the progress of the run
     * @param cancellation stops the run
     */
    public record Options(
            int workers,
            Policy policy,
            boolean keepsGraph,
            int spansPerWorker,
            Clock clock,
            Progress progress,
            Cancellation cancellation) {

        /** Options of {@code workers} workers that steal and the machine's clock, without anything else. */
        public static Options of(int workers) {
            return new Options(workers, new Stealing(), false, 0, Clock.system(), Progress.NONE, new Cancellation());
        }

        /** The same with another policy. */
        public Options withPolicy(Policy other) {
            return new Options(workers, other, keepsGraph, spansPerWorker, clock, progress, cancellation);
        }

        /** The same, and the graph is kept. */
        public Options withGraph(boolean kept) {
            return new Options(workers, policy, kept, spansPerWorker, clock, progress, cancellation);
        }

        /** The same with a trace of {@code spans} spans per worker. */
        public Options withTrace(int spans) {
            return new Options(workers, policy, keepsGraph, spans, clock, progress, cancellation);
        }

        /** The same on another clock. */
        public Options withClock(Clock source) {
            return new Options(workers, policy, keepsGraph, spansPerWorker, source, progress, cancellation);
        }

        /** The same with an observer of the progress, and a cancellation that may stop the run. */
        public Options watchedBy(Progress who, Cancellation what) {
            return new Options(workers, policy, keepsGraph, spansPerWorker, clock, who, what);
        }
    }

    /** The approximate number of tasks that a rehearsal runs: by then most code is compiled. */
    private static final long REHEARSED_TASKS = 2_000;

    private static final long MOST_REHEARSALS = 50;

    private static final double NANOS_PER_MICRO = 1e3;

    private final Options options;
    private final Clock clock;
    private final Progress progress;
    private final Map<String, Resource> resources = new HashMap<>();
    private final List<TaskLog> logs;
    /** On the clock. Written before the first submission. */
    private long origin;

    private Replay(TaskProgram program, Options options) {
        this.options = options;
        this.clock = options.clock();
        this.progress = options.progress();
        this.logs = program.tasks().stream().map(TaskLog::new).toList();
    }

    /**
     * Runs {@code program}, which a reader has checked, and waits until all its tasks are over. That tasks fail is part
     * of the result.
     *
     * @throws CancellationException when the run was stopped
     * @throws IllegalStateException when the engine refuses the program's tasks
     */
    public static Run run(TaskProgram program, Options options) {
        SessionBuilder builder = Session.builder()
                .workers(options.workers())
                .trace(options.spansPerWorker())
                .clock(options.clock())
                .policy(options.policy());
        if (options.keepsGraph()) {
            builder.keepGraphs();
        }
        try (Session session = builder.open()) {
            return new Replay(program, options).run(program, session);
        }
    }

    /**
     * Runs {@code program} without its times, so that the code is loaded and compiled when a run is measured.
     *
     * @throws CancellationException when the run was stopped
     */
    public static void rehearse(TaskProgram program, Options options) {
        Options quiet = options.withTrace(0).withGraph(false).watchedBy(Progress.NONE, options.cancellation());
        TaskProgram timeless = program.scaled(0);
        long tasks = Math.max(1, program.allTasks().count());
        for (long run = 0; run < Math.clamp(REHEARSED_TASKS / tasks, 1, MOST_REHEARSALS); run++) {
            run(timeless, quiet);
        }
    }

    private Run run(TaskProgram program, Session session) {
        Map<String, ResourceSpec> specs = new HashMap<>();
        program.resources().forEach(spec -> specs.put(spec.name(), spec));
        program.resources().forEach(spec -> resource(spec, specs, session));
        progress.start("replaying", program.allTasks().count());
        TaskGraph graph = session.graph("replay", FailurePolicy.CONTINUE);
        try (Cancellation.Registration _ = options.cancellation().onCancel(graph::cancel)) {
            origin = clock.nanoTime();
            submit(logs, graph);
            await(graph);
        }
        long makespan = now();
        options.cancellation().check();
        logs.forEach(Replay::throwFault);
        ReplayResult result = new ReplayResult(
                makespan,
                session.workers(),
                options.policy().name(),
                logs.stream().map(TaskLog::result).toList());
        return new Run(
                result,
                session.trace(),
                options.keepsGraph() ? Optional.of(graph.history()) : Optional.empty(),
                session.placements());
    }

    private static void await(TaskGraph graph) {
        try {
            graph.await();
        } catch (TaskFailedException e) {
            // a part of the result
        }
    }

    private static void throwFault(TaskLog log) {
        if (log.fault != null) {
            throw new IllegalStateException(
                    "task \"" + log.spec.name() + "\" did what its program does not say", log.fault);
        }
        log.subs.forEach(Replay::throwFault);
    }

    // ---- from the description to the engine

    private Resource resource(ResourceSpec spec, Map<String, ResourceSpec> specs, Session session) {
        Resource known = resources.get(spec.name());
        if (known != null) {
            return known;
        }
        String above = spec.parent();
        Resource made;
        if (above != null) {
            Resource parent = resource(Objects.requireNonNull(specs.get(above)), specs, session);
            made = session.resource(spec.name(), parent);
        } else {
            made = spec.unordered() ? session.unordered(spec.name()) : session.resource(spec.name());
        }
        resources.put(spec.name(), made);
        return made;
    }

    private Resource resource(AccessSpec access) {
        return Objects.requireNonNull(resources.get(access.resource()));
    }

    private static Access access(AccessSpec spec) {
        Mode mode = Mode.valueOf(spec.mode().name());
        Box box = spec.area();
        if (box == null || mode == Mode.NONE) {
            return mode;
        }
        long[] bounds = box.intervals().stream()
                .flatMapToLong(interval -> LongStream.of(interval.low(), interval.high()))
                .toArray();
        return new AreaAccess(mode, Area.of(bounds));
    }

    private void submit(List<TaskLog> level, Tasks tasks) {
        Map<String, Task<?>> earlier = new HashMap<>();
        for (TaskLog log : level) {
            TaskSpec spec = log.spec;
            TaskBuilder task = tasks.task(spec.name()).priority(spec.priority());
            spec.accesses().forEach(access -> task.accesses(resource(access), access(access)));
            spec.after().forEach(name -> task.after(Objects.requireNonNull(earlier.get(name))));
            spec.flags().forEach(flag -> task.flag(flag(flag)));
            Task<?> handle = task.run(context -> body(log, context));
            log.handle = handle;
            earlier.put(spec.name(), handle);
        }
    }

    private static Flag flag(TaskFlag flag) {
        return switch (flag) {
            case MAIN -> Flag.MAIN_THREAD;
            case SYNCHRONIZING -> Flag.SYNCHRONIZING;
        };
    }

    // ---- bodies

    private void body(TaskLog log, TaskContext context) {
        long began = now();
        log.start = began;
        log.worker = context.worker();
        try {
            perform(log, context, began);
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            log.fault = e;
            throw e;
        } finally {
            progress.advance(1);
            log.bodyEnd = now();
        }
        if (log.spec.fails()) {
            throw new SyntheticFailure(log.spec.name());
        }
    }

    private void perform(TaskLog log, TaskContext context, long began) {
        TaskSpec spec = log.spec;
        if (!log.subs.isEmpty()) {
            context.refine(inside -> submit(log.subs, inside));
        }
        double nanos = spec.micros() * NANOS_PER_MICRO;
        for (DemoteSpec demotion : spec.demotionsInOrder()) {
            spin(began + (long) Math.ceil(nanos * demotion.at()), context);
            AccessSpec to = demotion.to();
            log.demoted.add(new Demoted(to.resource(), to.mode(), now()));
            context.demote(resource(to), access(to));
        }
        spin(began + (long) Math.ceil(nanos), context);
    }

    /** Until that time of the run. */
    private void spin(long until, TaskContext context) {
        while (now() < until) {
            if (context.cancelled()) {
                throw new CancellationException("the run was stopped");
            }
            Thread.onSpinWait();
        }
    }

    /** Nanoseconds from the start of the run. */
    private long now() {
        return clock.nanoTime() - origin;
    }

    /** Thrown by the body of a task that is to fail. Has no stack trace: its origin is known. */
    private static final class SyntheticFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        SyntheticFailure(String task) {
            super("task \"" + task + "\" is described as failing", null, false, false);
        }
    }
}
