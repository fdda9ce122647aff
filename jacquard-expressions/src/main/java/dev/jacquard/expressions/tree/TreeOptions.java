package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The choices of the user for a tree. Immutable.
 *
 * @param fuses false to store fields that could be computed inside another loop
 * @param policy how temporaries get memory
 * @param kept temporaries that have memory of their own, and are stored in any case
 * @param tile the points along x, y and z that loops compute at a time; empty for as many as suit them
 * @param targets where expressions are computed; others where their fields live
 * @param scheduler orders the tasks of recorded graphs; null for none
 * @param split the share of a device in each field; null for none
 * @param watches fields that are watched while they are computed
 */
record TreeOptions(
        boolean fuses,
        Policy policy,
        Set<Tag<?>> kept,
        Loops.Form form,
        List<Integer> tile,
        Map<Tag<?>, ExecutionTarget> targets,
        @Nullable Scheduler scheduler,
        @Nullable Split split,
        Map<Tag<?>, Watch> watches) {
    static final TreeOptions DEFAULT =
            new TreeOptions(true, Policy.DYNAMIC, Set.of(), Loops.Form.AUTO, List.of(), Map.of(), null, null, Map.of());

    TreeOptions fuse(boolean other) {
        return new TreeOptions(other, policy, kept, form, tile, targets, scheduler, split, watches);
    }

    TreeOptions fields(Policy other) {
        return new TreeOptions(fuses, other, kept, form, tile, targets, scheduler, split, watches);
    }

    TreeOptions keep(Set<Tag<?>> others) {
        return new TreeOptions(fuses, policy, others, form, tile, targets, scheduler, split, watches);
    }

    TreeOptions loops(Loops.Form other) {
        return new TreeOptions(fuses, policy, kept, other, tile, targets, scheduler, split, watches);
    }

    TreeOptions tile(List<Integer> other) {
        return new TreeOptions(fuses, policy, kept, form, other, targets, scheduler, split, watches);
    }

    TreeOptions scheduler(Scheduler other) {
        return new TreeOptions(fuses, policy, kept, form, tile, targets, other, split, watches);
    }

    TreeOptions split(Split other) {
        return new TreeOptions(fuses, policy, kept, form, tile, targets, scheduler, other, watches);
    }

    TreeOptions watch(Map<Tag<?>, Watch> others) {
        return new TreeOptions(fuses, policy, kept, form, tile, targets, scheduler, split, others);
    }

    /** Returns the watch of a field that is computed alone; null for nothing. */
    @Nullable
    Watch watch(Set<Tag<?>> computed) {
        return computed.size() == 1 ? watches.get(computed.iterator().next()) : null;
    }

    /** Returns the options with more targets, some perhaps in the place of others. */
    TreeOptions on(Map<? extends Tag<?>, ExecutionTarget> more) {
        Map<Tag<?>, ExecutionTarget> all = new LinkedHashMap<>(targets);
        all.putAll(more);
        return new TreeOptions(fuses, policy, kept, form, tile, all, scheduler, split, watches);
    }

    /**
     * Throws an exception if a tree does not compute a field.
     *
     * @param verb the intended operation on the field
     */
    static void requireKnown(Set<Tag<?>> computed, Tag<?> tag, String verb) {
        if (!computed.contains(tag)) {
            throw new IllegalArgumentException("the tree computes no \"" + tag + "\" that it could " + verb + ", but "
                    + computed
                    + NearestName.hint(
                            tag.toString(), computed.stream().map(Tag::toString).toList()));
        }
    }

    /** Returns the options for the fields of another tree, by their names there, of which it computes {@code known}. */
    TreeOptions renamed(UnaryOperator<Tag<?>> names, Set<Tag<?>> known) {
        Set<Tag<?>> keeps = new LinkedHashSet<>();
        kept.stream().<Tag<?>>map(names).filter(known::contains).forEach(keeps::add);
        Map<Tag<?>, ExecutionTarget> its = new LinkedHashMap<>();
        targets.forEach((tag, target) -> {
            if (known.contains(names.apply(tag))) {
                its.put(names.apply(tag), target);
            }
        });
        return new TreeOptions(fuses, policy, keeps, form, tile, its, scheduler, split, Map.of());
    }
}
