package dev.jacquard.flow;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.runtime.Run;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A graph of long-lived tasks joined by queues through which items stream: a description, to be run any number of
 * times.
 *
 * <pre>{@code
 * FlowGraph<Integer, String> graph = FlowGraph.build("squares", g -> {
 *     FlowTask<Integer, Integer> square = g.task("square", 2, () -> (n, out) -> out.emit(n * n));
 *     FlowTask<Integer, String> print = g.task("print", 1, () -> (n, out) -> out.emit("= " + n));
 *     g.input().to(square).to(print).to(g.output());
 * });
 * graph.check().orThrow();
 * try (FlowRun<Integer, String> run = graph.start(session)) {
 *     List.of(1, 2, 3).forEach(run::send);
 *     run.finish();
 *     for (String line : run) store(line);
 * }
 * }</pre>
 *
 * <p>Threads: immutable, so any thread may check and start a graph. Source: Blattner's thesis on the Hybrid Task Graph
 * Scheduler, chapters 4 and 5.
 *
 * @param <I> the type of the items that come in
 * @param <O> the type of the items that go out
 */
public final class FlowGraph<I, O> {
    private final GraphParts parts;

    private FlowGraph(GraphParts parts) {
        this.parts = parts;
    }

    /** Builds a graph: {@code description} adds tasks and joins them. */
    public static <I, O> FlowGraph<I, O> build(String name, Consumer<FlowBuilder<I, O>> description) {
        FlowSource.requireGiven(name, "name of a graph");
        FlowSource.requireGiven(description, "description of graph \"" + name + '"');
        FlowBuilder<I, O> builder = new FlowBuilder<>(name);
        description.accept(builder);
        return new FlowGraph<>(builder.close());
    }

    /** Returns the graph's name. */
    public String name() {
        return parts.name;
    }

    /**
     * Looks for all problems that would keep the graph from running to its end, with the
     * {@linkplain FlowRun.Options#defaults() defaults}. Creates one body per task to find out its types. A pipeline
     * over devices counts as one copy for each name and kind of a device, since only a session knows its devices: see
     * {@link #check(Session)}.
     */
    public Check check() {
        return check(new Flattening(parts, DeviceSet.UNKNOWN));
    }

    /**
     * Looks for problems as {@link #check()} does, with the devices of {@code session}: whether it has those that
     * pipelines are for, and whether the memory edges of pipelines are within the limits of their devices.
     */
    public Check check(Session session) {
        return check(new Flattening(parts, DeviceSet.of(Objects.requireNonNull(session, "session"))));
    }

    private static Check check(Flattening unfolding) {
        return new Checker(unfolding, unfolding.makeProbes(), false).check();
    }

    /** Starts a run on the session's workers, with the {@linkplain FlowRun.Options#defaults() defaults}. */
    public FlowRun<I, O> start(Session session) {
        return start(session, FlowRun.Options.defaults());
    }

    /**
     * Starts a run on the session's workers.
     *
     * @throws IllegalStateException if {@link #check()}, with these options, finds a problem
     * @throws dev.jacquard.flow.report.FlowFailedException if the allocator of a static memory edge throws
     */
    public FlowRun<I, O> start(Session session, FlowRun.Options options) {
        Objects.requireNonNull(session, "session");
        return new FlowRun<>(Run.start(session, plan(options, DeviceSet.of(session))));
    }

    /** Starts a run on workers alone, without bounds, since no stall watch reports a sender that waits for ever. */
    FlowRun<I, O> start(Workers workers) {
        return start(workers, FlowRun.Options.unbounded());
    }

    /** Starts a run on workers alone. */
    FlowRun<I, O> start(Workers workers, FlowRun.Options options) {
        Objects.requireNonNull(workers, "workers");
        return new FlowRun<>(Run.start(workers, plan(options, DeviceSet.NONE)));
    }

    private RunPlan plan(FlowRun.Options options, DeviceSet devices) {
        Flattening unfolding = new Flattening(parts, devices);
        new Checker(unfolding, unfolding.makeBodies(), options.dedicated())
                .check()
                .orThrow();
        return unfolding.plan(options);
    }

    GraphParts parts() {
        return parts;
    }

    /**
     * The result of a graph's check.
     *
     * @param graph the graph's name
     * @param problems one sentence per problem; empty if the graph can run
     */
    public record Check(String graph, List<String> problems) {
        /** Returns true if the graph can run. */
        public boolean isFine() {
            return problems.isEmpty();
        }

        /**
         * Throws an exception if there are problems.
         *
         * @throws IllegalStateException if there are problems; the message names all of them
         */
        public void orThrow() {
            if (!isFine()) {
                throw new IllegalStateException(toString());
            }
        }

        @Override
        public String toString() {
            return isFine()
                    ? "flow \"" + graph + "\": no problem found"
                    : "flow \"" + graph + "\" cannot run:\n  " + String.join("\n  ", problems);
        }
    }

    /**
     * A graph that is used as a task of another graph. Each use has its own tasks, rules and memory edges.
     *
     * @param <A> the type of the inner graph's input
     * @param <B> the type of the inner graph's output
     */
    public static final class Nested<A, B> extends FlowSource<B> implements Sink<A> {
        private final String name;
        final GraphParts inner;

        Nested(GraphParts graph, String name, GraphParts inner) {
            super(graph);
            this.name = name;
            this.inner = inner;
        }

        /** Returns the name in the outer graph, which is also the prefix of the names inside. */
        public String name() {
            return name;
        }
    }

    /**
     * The end of an edge: a part of a graph that takes items.
     *
     * @param <A> the type of the items
     */
    public sealed interface Sink<A> permits FlowTask, Bookkeeper, FlowGraph.Nested, FlowPipeline, GraphParts.Output {
        /** Returns the name of the graph that this is a part of. */
        String graph();
    }
}
