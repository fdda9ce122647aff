package dev.jacquard.flow;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.runtime.Run;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.Collection;
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
    private final Proofs proofs = new Proofs();

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

    private Check check(Flattening unfolding) {
        return withProof(unfolding, new Checker(unfolding, unfolding.makeProbes(1), false).check());
    }

    /**
     * Proves from the rates that tasks and rules declare ({@link FlowTask#emits}, {@link FlowTask#takes},
     * {@link FlowTask#releases}, {@link RuleOutput}) that no run stands still for want of buffers, or refutes that with
     * an order of events; otherwise says which rate is missing. The proof supposes that bodies and rules keep to their
     * rates, take as many buffers as they declare, and release each buffer that no item carries on. It takes up to some
     * seconds. {@link #check()} and {@link #start(Session)} search a fraction of that: they refuse a graph that they
     * find refuted.
     *
     * <p>A pipeline over devices counts as {@link #check()} counts it: see {@link #prove(Session)}.
     */
    public Proof prove() {
        return proofs.of(new Flattening(parts, DeviceSet.UNKNOWN));
    }

    /** As {@link #prove()}, with a copy of each pipeline for each of the devices that {@code session} has. */
    public Proof prove(Session session) {
        return proofs.of(new Flattening(parts, DeviceSet.of(Objects.requireNonNull(session, "session"))));
    }

    /**
     * As {@link #check()}, and checks by a {@linkplain #dryRun dry run} that the pools are large enough for
     * {@code order}.
     *
     * @throws IllegalStateException as {@link #dryRun}
     */
    public Check check(Collection<? extends I> order) {
        Check check = check();
        return check.isFine() ? Rehearsing.check(dryRun(order)) : check;
    }

    /** As {@link #dryRun(Collection, int)}, with one worker. */
    public DryRun dryRun(Collection<? extends I> order) {
        return dryRun(order, 1);
    }

    /**
     * Runs the graph's rules and grants on the items of {@code order}, with the {@linkplain FlowTask#dry dry maps} of
     * tasks in place of their bodies, in virtual time. Finds the peak and the smallest size of each pool, the critical
     * path, and the time that the run takes. Takes several passes, each with new rules; rules that are shared by all
     * runs keep their state.
     *
     * @param order the items, in the order in which they will be sent
     * @param workers the number of workers
     * @throws IllegalArgumentException if {@code workers} is not positive
     * @throws IllegalStateException if a task has no dry map, or the graph has other problems than its pools' sizes
     * @throws dev.jacquard.flow.report.FlowFailedException if a dry map or a rule throws
     */
    public DryRun dryRun(Collection<? extends I> order, int workers) {
        return new Rehearsing(parts).run(List.copyOf(order), workers);
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

    /** Starts a run on workers alone that may stand still, although the proof says so. */
    FlowRun<I, O> startUnproved(Workers workers) {
        return new FlowRun<>(Run.start(workers, plan(FlowRun.Options.unbounded(), DeviceSet.NONE, false)));
    }

    private RunPlan plan(FlowRun.Options options, DeviceSet devices) {
        return plan(options, devices, true);
    }

    private RunPlan plan(FlowRun.Options options, DeviceSet devices, boolean proves) {
        Flattening unfolding = new Flattening(parts, devices);
        Check check = new Checker(unfolding, unfolding.makeBodies(), options.dedicated()).check();
        (proves ? withProof(unfolding, check) : check).orThrow();
        return unfolding.plan(options, () -> proofs.of(unfolding).atStandstill());
    }

    /** Adds to {@code check} that the graph is refuted, if its rates say so. */
    private Check withProof(Flattening unfolding, Check check) {
        if (!check.isFine() || unfolding.pools.isEmpty() || !new Rates(unfolding).areDeclared()) {
            return check;
        }
        Proof its = proofs.soon(unfolding);
        return its.isRefuted() ? new Check(parts.name, List.of(its.refutation())) : check;
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
