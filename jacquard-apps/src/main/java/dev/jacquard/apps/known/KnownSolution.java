package dev.jacquard.apps.known;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;

/** Equations in a cube of length 1 with a solution that is known everywhere and at all times. Immutable. */
interface KnownSolution {
    /** Returns the fields that advance. */
    List<Tag<Cell>> unknowns();

    /** Returns the rate at which an unknown changes. */
    default Tag<Cell> rate(Tag<Cell> unknown) {
        return Tag.cell("d" + unknown.name() + "/dt");
    }

    /** Returns the equations: sources, and all that the rates need. */
    Model model(Grid grid);

    /** Sets the fields that the equations are given. */
    void given(FieldStore fields);

    /** Returns the method with the conditions at the walls. */
    Ssp.Of bounded(Ssp.Of ssp);

    /** Returns the value of unknown number {@code unknown}. */
    double value(int unknown, double x, double y, double z, double t);
}
