package dev.jacquard.flow;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.runtime.Environment;
import dev.jacquard.flow.runtime.Run;
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
        FlowBuilder<I, O> builder = new FlowBuilder<>(name);
        description.accept(builder);
        return new FlowGraph<>(builder.close());
    }

    /** Returns the graph's name. */
    public String name() {
        return parts.name;
    }

    /**
     * Looks for all problems that would keep the graph from running to its end. Creates one body per task to find out
     * its types.
     */
    public FlowCheck check() {
        Flattening unfolding = new Flattening(parts);
        return new Checker(unfolding, Bodies.probes(unfolding)).check();
    }

    /** Starts a run on the session's workers, with the {@linkplain FlowOptions#defaults() defaults}. */
    public FlowRun<I, O> start(Session session) {
        return start(session, FlowOptions.defaults());
    }

    /**
     * Starts a run on the session's workers.
     *
     * @throws IllegalStateException if {@link #check()} finds a problem
     * @throws dev.jacquard.flow.report.FlowFailedException if the allocator of a static memory edge throws
     */
    public FlowRun<I, O> start(Session session, FlowOptions options) {
        return start(Environment.of(session), options);
    }

    /** Starts a run on workers alone, with the defaults. */
    FlowRun<I, O> start(Workers workers) {
        return start(workers, FlowOptions.defaults());
    }

    /** Starts a run on workers alone. */
    FlowRun<I, O> start(Workers workers, FlowOptions options) {
        return start(Environment.of(workers), options);
    }

    private FlowRun<I, O> start(Environment environment, FlowOptions options) {
        Flattening unfolding = new Flattening(parts);
        Bodies bodies = Bodies.all(unfolding);
        new Checker(unfolding, bodies).check().orThrow();
        return new FlowRun<>(Run.start(environment, new Planning(unfolding, bodies, options).plan()));
    }

    GraphParts parts() {
        return parts;
    }
}
