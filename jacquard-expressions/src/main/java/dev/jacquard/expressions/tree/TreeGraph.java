package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.language.Tag;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The graphs of a tree, for drawings: each computation with the formulas inside its loop, and the fields that the
 * caller sets. Confined to one thread.
 */
final class TreeGraph {
    private static final String SET_BY_CALLER = "set by the caller";

    private final Map<Tag<?>, Computation> definitions;
    private final Fusion fusion;
    private final MemoryPlan memory;
    private final Set<Tag<?>> roots;
    /** The fields that are in each shared memory. */
    private final Map<Integer, Set<Tag<?>>> shared = new HashMap<>();

    private final List<Box> boxes = new ArrayList<>();

    /** Something that has a place in a drawing. */
    private static final class Box {
        private final String name;
        private final String text;
        private final Set<Tag<?>> computes;
        private final Set<Tag<?>> reads;
        /** The formulas inside, operands first. */
        private final List<Box> inner = new ArrayList<>();
        /** The number in the snapshot that is being made. */
        private int number;

        Box(String name, String text, Set<Tag<?>> computes, Set<Tag<?>> reads) {
            this.name = name;
            this.text = text;
            this.computes = computes;
            this.reads = reads;
        }
    }

    TreeGraph(Map<Tag<?>, Computation> definitions, Fusion fusion, MemoryPlan memory, Set<Tag<?>> roots) {
        this.definitions = definitions;
        this.fusion = fusion;
        this.memory = memory;
        this.roots = roots;
        for (Tag<?> tag : memory.order()) {
            for (int place : memory.places(tag)) {
                shared.computeIfAbsent(place, any -> new LinkedHashSet<>()).add(tag);
            }
        }
        Set<Tag<?>> sources = new LinkedHashSet<>();
        definitions.values().forEach(one -> sources.addAll(one.reads()));
        sources.removeAll(definitions.keySet());
        sources.forEach(tag -> boxes.add(new Box(tag.toString(), SET_BY_CALLER, Set.of(tag), Set.of())));
        memory.steps().forEach(one -> boxes.add(box(one)));
    }

    private Box box(Computation one) {
        Set<Integer> places = new TreeSet<>();
        Set<Tag<?>> others = new LinkedHashSet<>();
        for (Tag<?> tag : one.computes()) {
            for (int place : memory.places(tag)) {
                Set<Tag<?>> all = shared.getOrDefault(place, Set.of());
                if (all.size() > 1) {
                    places.add(place);
                    others.addAll(all);
                }
            }
        }
        others.removeAll(one.computes());
        String names = one.computes().stream().map(Tag::toString).collect(Collectors.joining(", "));
        Set<Tag<?>> reads = definition(one.computes().iterator().next()).reads();
        String text = (one instanceof UserExpression loop ? loop.name() + "; " : "")
                + (one.computes().stream().anyMatch(roots::contains) ? "wanted; " : "")
                + (places.isEmpty() ? "" : "in memory " + places + " like " + others + "; ")
                + "reads " + reads;
        Box box =
                new Box(places.isEmpty() ? names : names + " · memory " + numbers(places), text, one.computes(), reads);
        for (Tag<?> tag : fusion.inside(one)) {
            Set<Tag<?>> its = definition(tag).reads();
            box.inner.add(new Box(tag.toString(), "computed inside; reads " + its, Set.of(tag), its));
        }
        return box;
    }

    private static String numbers(Set<Integer> places) {
        return places.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private Computation definition(Tag<?> tag) {
        Computation its = definitions.get(tag);
        if (its == null) {
            throw new IllegalArgumentException("the tree computes no \"" + tag + '"');
        }
        return its;
    }

    /** Returns the graph whose edges lead from what computes a field to what reads it. */
    GraphSnapshot tasks() {
        return snapshot("task graph", false);
    }

    /** Returns the graph whose edges lead from what reads a field to what computes it. */
    GraphSnapshot dependencies() {
        return snapshot("dependency graph", true);
    }

    /** Numbers the boxes so that all edges lead to higher numbers, and those inside a box follow it. */
    private GraphSnapshot snapshot(String name, boolean isReversed) {
        GraphSnapshot.Builder graph = GraphSnapshot.builder(name);
        int next = 0;
        for (Box box : isReversed ? boxes.reversed() : boxes) {
            box.number = next++;
            graph.task(Task.of(box.number, box.name)
                    .withAccesses(box.text)
                    .withState(box.text.equals(SET_BY_CALLER) ? "SOURCE" : ""));
            for (Box part : isReversed ? box.inner.reversed() : box.inner) {
                part.number = next++;
                graph.task(
                        Task.of(part.number, part.name).withAccesses(part.text).withParent(box.number));
            }
        }
        Map<Tag<?>, Box> makers = new HashMap<>();
        boxes.forEach(box -> box.computes.forEach(tag -> makers.put(tag, box)));
        for (Box box : boxes) {
            Map<Tag<?>, Box> inside = new HashMap<>();
            box.inner.forEach(part -> part.computes.forEach(tag -> inside.put(tag, part)));
            for (Tag<?> read : box.reads) {
                if (!inside.containsKey(read)) { // the box is around the others
                    edge(graph, makers.get(read), box, read, isReversed);
                }
            }
            for (Box part : box.inner) {
                for (Tag<?> read : part.reads) {
                    edge(graph, inside.getOrDefault(read, makers.get(read)), part, read, isReversed);
                }
            }
        }
        return graph.build();
    }

    private static void edge(
            GraphSnapshot.Builder graph, @Nullable Box maker, Box reader, Tag<?> read, boolean isReversed) {
        int from = Objects.requireNonNull(maker, read::name).number;
        graph.edge(
                isReversed ? reader.number : from, isReversed ? from : reader.number, Kind.IMPLICIT, read.toString());
    }
}
