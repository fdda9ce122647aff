package dev.jacquard.apps.pde;

import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.HashMap;
import java.util.Map;

/**
 * An expression in cells with values that are wanted once: an initial value, or a solution. Immutable.
 *
 * @param text the expression, which has no unknowns
 * @param names all names
 * @param given the fields that it may have
 */
record Formula(Text text, Names names, GivenFields given) {
    /** Sets a field to the values at a time. */
    void set(FieldStore fields, Tag<Cell> tag, double time) {
        names.function(text)
                .ifPresentOrElse(
                        function -> fields.set(tag, (x, y, z) -> function.at(x, y, z, time)),
                        () -> compute(fields, tag, time));
    }

    private void compute(FieldStore fields, Tag<Cell> tag, double time) {
        Expr<Cell> expression =
                text.read(source -> names.parser().parse(source, Cell.class)).inline(given.computed()::get);
        expression.reads().forEach(read -> given.set(fields, read));
        Assignment assignment;
        try {
            assignment = Assignment.of(fields, tag, expression);
        } catch (IllegalArgumentException e) {
            throw text.error(String.valueOf(e.getMessage()));
        }
        Map<String, Double> numbers = new HashMap<>(names.parameters());
        numbers.put("t", time);
        numbers.keySet().retainAll(assignment.parameters());
        assignment.submit(fields.session().graph(), numbers);
    }
}
