package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree.Fate;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a tree: the computations that have their own loops, with the fields of a store and the targets that the
 * user has named.
 *
 * @param tree of which these are
 * @param computed all fields that it computes
 * @param roots the wanted fields
 */
record TreeTasks(
        ExpressionTree tree,
        Set<Tag<?>> computed,
        Set<Tag<?>> roots,
        TreeOptions options,
        Fusion fusion,
        MemoryPlan memory) {

    /**
     * A part of the tree that is computed on its own: one field, or the results of a loop of the user's.
     *
     * @param tags its fields
     * @param assignment its tasks
     * @param on the target that the user has named for it; null for none
     * @param assigned true if the user has named targets in the tree at all
     */
    record Unit(
            Set<Tag<?>> tags,
            Assignment assignment,
            @Nullable ExecutionTarget on,
            boolean assigned) {
        /** Returns the names of its fields. */
        String name() {
            return tags.stream().map(Tag::toString).collect(Collectors.joining(", "));
        }

        /** Returns where it is computed if no policy says more. */
        ExecutionTarget place() {
            return on != null ? on : Objects.requireNonNullElse(assignment.where(), ExecutionTarget.HOST);
        }
    }

    /**
     * Returns all units, operands first.
     *
     * @param temporaries the memory of fields that do not stay
     */
    List<Unit> units(FieldStore fields, Temporaries temporaries) {
        if (!fields.grid().equals(tree.grid())) {
            throw new IllegalArgumentException(
                    "the tree is for " + tree.grid() + ", and the fields are on " + fields.grid());
        }
        Map<Tag<?>, String> unstored = new HashMap<>();
        fusion.fates().forEach((tag, fate) -> {
            String reason = reason(tag, fate);
            fields.old.setUnstored(tag, reason);
            if (reason != null) {
                unstored.put(tag, reason);
            }
        });
        List<Unit> all = new ArrayList<>();
        for (Computation one : memory.steps()) {
            Map<Tag<?>, String> elsewhere = new HashMap<>(unstored);
            List<Tag<?>> inside = fusion.inside(one);
            elsewhere
                    .keySet()
                    .removeIf(tag -> !inside.contains(tag) && !one.computes().contains(tag));
            FieldLookup lookup = lookup(fields, temporaries, fields.old.computedElsewhere(elsewhere));
            Assignment its =
                    one.assignment(fields, lookup, options.form(), options.tile(), options.watch(one.computes()));
            ExecutionTarget on = target(one);
            all.add(new Unit(
                    one.computes(),
                    on == null ? its : its.on(on),
                    on,
                    !options.targets().isEmpty()));
        }
        requireNoneOverwritten(all);
        requireFieldsOfTheirOwn(fields);
        return all;
    }

    /** Throws if two fields that stay are one, by {@link FieldStore#alias}: only the one would have its values. */
    private void requireFieldsOfTheirOwn(FieldStore fields) {
        Map<Data, String> names = new HashMap<>();
        for (Tag<?> tag : memory.persistent()) {
            for (int axis = 0; computed.contains(tag) && axis < tag.components(tree.grid()); axis++) {
                GridField field = fields.field(tag, axis);
                String other = names.put(field.data(), field.name());
                if (other != null) {
                    throw new IllegalArgumentException("the tree computes both \"" + other + "\" and \""
                            + field.name() + "\", which FieldStore.alias made one field: give one of them a field of"
                            + " its own");
                }
            }
        }
    }

    /** Throws if a task reads a field that one before it has overwritten under another name. */
    private static void requireNoneOverwritten(List<Unit> all) {
        Map<Data, GridField> written = new HashMap<>();
        for (Unit unit : all) {
            List<? extends FieldTask> tasks = unit.assignment.tasks();
            tasks.forEach(task -> task.inputs().forEach(read -> {
                GridField its = written.getOrDefault(read.data(), read);
                if (!its.name().equals(read.name())) {
                    throw new IllegalArgumentException("\"" + task.name() + "\" reads \"" + read.name()
                            + "\", which \"" + its.name() + "\" has overwritten by then: FieldStore.alias made"
                            + " them one field; compute \"" + its.name() + "\" into a separate field");
                }
            }));
            tasks.forEach(task -> task.results().forEach(field -> written.put(field.data(), field)));
        }
    }

    /** Returns the reason why a field has no values that can be looked at; null if it has. */
    private @Nullable String reason(Tag<?> tag, Fate fate) {
        String reason = fate == Fate.FUSED
                ? "is computed inside the loops that need it"
                : memory.place(tag, 0) >= 0 ? "is in memory that other temporaries use, too" : null;
        return reason == null
                ? null
                : "\"" + tag + "\" " + reason + ": ExpressionTree.keep gives it a field whose values can be looked at";
    }

    /**
     * Returns the fields of a loop.
     *
     * @param elsewhere notes the expressions that it computes without writing them to the field that the store may have
     */
    private FieldLookup lookup(FieldStore fields, Temporaries temporaries, Runnable elsewhere) {
        return new FieldLookup() {
            @Override
            public GridField field(Tag<?> tag, int axis) {
                int place = memory.place(tag, axis);
                if (place < 0) {
                    return fields.field(tag, axis);
                }
                String name = new FieldKey(tag, axis).text();
                return temporaries.field(name, tag.centring(axis), place, memory.centrings());
            }

            @Override
            public boolean isComputedBefore(Tag<?> tag) {
                return computed.contains(tag);
            }

            @Override
            public void begun() {
                elsewhere.run();
            }
        };
    }

    /**
     * Returns the target that the user has named for a loop, or for a formula that is computed inside it and nowhere
     * else.
     *
     * @throws IllegalArgumentException if there are several
     */
    private @Nullable ExecutionTarget target(Computation one) {
        Map<Tag<?>, ExecutionTarget> named = new LinkedHashMap<>();
        List<Tag<?>> all = new ArrayList<>(one.computes());
        fusion.inside(one).stream()
                .filter(tag -> fusion.fates().get(tag) == Fate.FUSED)
                .forEach(all::add);
        for (Tag<?> tag : all) {
            ExecutionTarget its = options.targets().get(tag);
            if (its != null) {
                named.put(tag, its);
            }
        }
        if (Set.copyOf(named.values()).size() > 1) {
            throw new IllegalArgumentException("one loop computes " + named.keySet() + ", which are assigned to "
                    + named.values() + ": assign them to one target, or keep what is to be computed elsewhere");
        }
        return named.isEmpty() ? null : named.values().iterator().next();
    }

    /** Submits tasks that compute all of a tree. */
    static void submit(List<Unit> units, @Nullable Split split, Session session, Tasks graph, Parameters parameters) {
        if (split != null) {
            split.submit(units, session, graph, parameters);
        } else if (units.stream().anyMatch(Unit::assigned)) {
            placed(units, session, parameters).submit(session, graph);
        } else {
            units.forEach(unit -> unit.assignment.submit(graph, parameters));
        }
    }

    /** Returns the tasks with the targets that the user has named, or else on the host. */
    static PlacedTasks placed(List<Unit> units, Session session, Parameters parameters) {
        PlacedTasks placed = new PlacedTasks();
        for (Unit unit : units) {
            unit.assignment.tasks().forEach(task -> placed.add(session, task, unit.place(), parameters));
        }
        return placed;
    }
}
