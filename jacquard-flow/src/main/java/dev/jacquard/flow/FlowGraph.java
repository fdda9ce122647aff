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
 * <p>Threads: constant once built, so any thread may check and start it. Source: Blattner's thesis on the Hybrid Task
 * Graph Scheduler, chapters 4 and 5.
 *
 * @param <I> items that come in
 * @param <O> items that go out
 */
public final class FlowGraph<I, O> {
    private final FlowBuilder<I, O> parts;

    private FlowGraph(FlowBuilder<I, O> parts) {
        this.parts = parts;
    }

    /** Builds a graph: {@code description} adds tasks and joins them. */
    public static <I, O> FlowGraph<I, O> build(String name, Consumer<FlowBuilder<I, O>> description) {
        FlowBuilder<I, O> builder = new FlowBuilder<>(name);
        description.accept(builder);
        builder.close();
        return new FlowGraph<>(builder);
    }

    /** The graph's name. */
    public String name() {
        return parts.name();
    }

    /**
     * Looks for everything that would keep the graph from running to its end. Makes one body per task to see its types.
     */
    public FlowCheck check() {
        Flattening unfolding = new Flattening(this);
        return new Checker(unfolding, Bodies.probes(unfolding)).check();
    }

    /** {@link #start(Session, FlowOptions)} with the defaults. */
    public FlowRun<I, O> start(Session session) {
        return start(session, FlowOptions.defaults());
    }

    /**
     * Starts a run on the session's workers.
     *
     * @throws IllegalStateException when {@link #check()} finds a problem
     * @throws dev.jacquard.flow.report.FlowFailedException when the allocator of a static memory edge throws
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
        Flattening unfolding = new Flattening(this);
        Bodies bodies = Bodies.all(unfolding);
        new Checker(unfolding, bodies).check().orThrow();
        return new FlowRun<>(Run.start(environment, new Planning(unfolding, bodies, options).plan()));
    }

    FlowBuilder<I, O> parts() {
        return parts;
    }
}
