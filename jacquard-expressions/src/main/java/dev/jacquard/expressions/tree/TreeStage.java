package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.language.Tag;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A tree with the boundaries that are filled before it.
 *
 * @param tree the expressions
 * @param numbers their parameters, and the time of the boundaries
 * @param before the boundaries, of the fields as they are then
 */
public record TreeStage(ExpressionTree tree, Parameters numbers, Supplier<List<Boundaries>> before) {
    /** Returns a tree as it is computed in a store: it keeps fields that are in memory or data of the user's there. */
    public static ExpressionTree inStore(ExpressionTree tree, FieldStore fields) {
        Tag<?>[] external = tree.fates().keySet().stream()
                .filter(tag -> fields.old.mustBeStored(tag)
                        && !tree.roots.contains(tag)
                        && !tree.options.kept().contains(tag))
                .toArray(Tag[]::new);
        return external.length == 0 ? tree : tree.keep(external);
    }

    /** Returns the stage as it is computed in a store. */
    TreeStage inStore(FieldStore fields) {
        return new TreeStage(inStore(tree, fields), numbers, before);
    }

    /** Submits all its tasks, in slabs where the tree is split. */
    public void submit(FieldStore fields, Tasks graph) {
        Split split = tree.options.split();
        for (Boundaries boundaries : before.get()) {
            if (split == null) {
                boundaries.submit(graph, numbers);
            } else {
                Split here = split.on(fields.session());
                new FilledGhosts(boundaries).submitSplit(fields.session(), graph, here, Map.of(), numbers);
            }
        }
        tree.submit(fields, graph, numbers);
    }
}
