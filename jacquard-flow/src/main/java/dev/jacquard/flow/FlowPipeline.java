package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.pipeline.Distribution;
import java.util.List;
import java.util.function.Supplier;

/**
 * Copies of a graph that share the items, as one part of another graph. Each copy has its own tasks and memory edges;
 * the rules that {@link Bookkeeper#rulePerRun} adds are common to all copies. Tasks, rules and memory edges of a copy
 * inherit its number and its device, also in graphs nested inside.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards. Source: Blattner's thesis on the
 * Hybrid Task Graph Scheduler, chapter 4.3.
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
public final class FlowPipeline<A, B> extends FlowSource<B> implements Sink<A> {
    final GraphParts inner;
    /** The number of copies; 0 if there is one per device. */
    final int copies;
    /** Names and kinds of devices; empty if the number of copies is given. */
    final List<ExecutionTarget> devices;

    private final String name;
    private Supplier<? extends Distribution<? super A>> distribution = () -> Distribution.roundRobin();

    FlowPipeline(GraphParts graph, String name, GraphParts inner, int copies, List<ExecutionTarget> devices) {
        super(graph);
        this.name = name;
        this.inner = inner;
        this.copies = copies;
        this.devices = devices;
    }

    /**
     * Sets the distribution of the items to the copies; the default is {@link Distribution#roundRobin()}. All runs of
     * the graph share the object.
     */
    public FlowPipeline<A, B> distribute(Distribution<? super A> by) {
        requireOpen();
        FlowSource.requireGiven(by, "distribution of pipeline \"" + name + '"');
        distribution = () -> by;
        return this;
    }

    /** Sets a distribution with state: a new object for each run, and for each use of the graph in another graph. */
    public FlowPipeline<A, B> distributePerRun(Supplier<? extends Distribution<? super A>> by) {
        requireOpen();
        FlowSource.requireGiven(by, "distribution of pipeline \"" + name + '"');
        distribution = by;
        return this;
    }

    /** Returns the name in the outer graph. The parts of copy 2 of pipeline "p" have names that begin with "p#2/". */
    public String name() {
        return name;
    }

    @Override
    public FlowPipeline<A, B> endsHere() {
        super.endsHere();
        return this;
    }

    Supplier<? extends Distribution<? super A>> distribution() {
        return distribution;
    }
}
