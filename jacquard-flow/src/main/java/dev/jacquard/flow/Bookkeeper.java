package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Keeps the state of the computation: hands every item to each of its rules, which decide which work can be done now.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards. Source: Blattner's thesis on the
 * Hybrid Task Graph Scheduler, chapter 4.1.
 *
 * @param <A> the type of the items that the bookkeeper takes
 */
public final class Bookkeeper<A> implements Sink<A> {
    final List<RuleLink> rules = new ArrayList<>();
    /** The number of buffers that each item that comes in carries. */
    final Map<MemoryEdge<?>, Integer> carries = new LinkedHashMap<>();

    private final Set<MemoryEdge<?>> releases = new LinkedHashSet<>();
    final Set<SiblingEdge<?>> sends = new LinkedHashSet<>();
    private final GraphParts graph;
    private final String name;

    Bookkeeper(GraphParts graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    /**
     * Adds a rule. The items that the rule emits go to the targets that are joined to the returned output. All runs of
     * the graph share the rule object and therefore its state; {@link #rulePerRun} creates one object per run.
     */
    public <B> RuleOutput<B> rule(Rule<? super A, B> rule) {
        FlowSource.requireGiven(rule, "rule of bookkeeper \"" + name + '"');
        return add(() -> rule, false);
    }

    /**
     * Adds a rule with a new object for each run, and for each use of the graph inside another graph. All copies of a
     * pipeline share the object, which is called by one thread at a time.
     */
    public <B> RuleOutput<B> rulePerRun(Supplier<? extends Rule<? super A, B>> rule) {
        return add(rule, false);
    }

    /** Adds a rule with a new object for each run, and for each copy of the graph in a pipeline. */
    public <B> RuleOutput<B> rulePerCopy(Supplier<? extends Rule<? super A, B>> rule) {
        return add(rule, true);
    }

    private <B> RuleOutput<B> add(Supplier<? extends Rule<? super A, B>> rule, boolean isPerCopy) {
        graph.checkOpen();
        FlowSource.requireGiven(rule, "rule of bookkeeper \"" + name + '"');
        RuleOutput<B> output = new RuleOutput<>(graph, name, rules.size() + 1);
        rules.add(new RuleLink(rule, output, isPerCopy));
        return output;
    }

    /** Declares that a rule releases buffers of {@code edge}. The declaration serves the check and drawings. */
    public Bookkeeper<A> releases(MemoryEdge<?> edge) {
        graph.checkOpen();
        FlowSource.requireGiven(edge, "memory edge that bookkeeper \"" + name + "\" releases into");
        releases.add(edge);
        return this;
    }

    /** Declares that a rule sends items to siblings along {@code edge}. */
    public Bookkeeper<A> sends(SiblingEdge<?> edge) {
        graph.checkOpen();
        FlowSource.requireGiven(edge, "edge between siblings along which bookkeeper \"" + name + "\" sends");
        edge.sentBy(name, graph);
        sends.add(edge);
        return this;
    }

    /**
     * Declares the number of buffers that each incoming item carries: see {@link FlowTask#carries}.
     *
     * @throws IllegalArgumentException if {@code buffers} is negative
     */
    public Bookkeeper<A> carries(MemoryEdge<?> edge, int buffers) {
        graph.checkOpen();
        FlowSource.requireGiven(edge, "memory edge with buffers that items of bookkeeper \"" + name + "\" carry");
        Rate.carries("bookkeeper \"" + name + '"', carries, edge, buffers);
        return this;
    }

    /** Returns the edges that rules release into, by any declaration. */
    Set<MemoryEdge<?>> released() {
        Set<MemoryEdge<?>> all = new LinkedHashSet<>(releases);
        rules.forEach(rule -> all.addAll(rule.output().rate.releases.keySet()));
        return all;
    }

    /** Returns the edges that some rule releases into, it is not declared which and how often. */
    Set<MemoryEdge<?>> releasedSomewhere() {
        Set<MemoryEdge<?>> unknown = new LinkedHashSet<>(releases);
        rules.forEach(rule -> unknown.removeAll(rule.output().rate.releases.keySet()));
        return unknown;
    }

    /** Returns the name, which is unique in the graph. */
    public String name() {
        return name;
    }

    @Override
    public String graph() {
        return graph.name;
    }

    /**
     * A rule, and the output that its items go to.
     *
     * @param isPerCopy true if each copy of a pipeline has its own rule
     */
    record RuleLink(Supplier<? extends Rule<?, ?>> rule, RuleOutput<?> output, boolean isPerCopy) {}
}
