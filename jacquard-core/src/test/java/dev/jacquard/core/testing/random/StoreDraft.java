package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Store.Aligned;
import dev.jacquard.core.testing.random.Store.Home;
import dev.jacquard.memory.data.Box;
import org.jspecify.annotations.Nullable;

/** Draws the stores of a program, each from dice of its own. */
final class StoreDraft {
    private static final int MOST_ROWS = 4;

    private final Drawing drawing;

    StoreDraft(Drawing drawing) {
        this.drawing = drawing;
    }

    /** Adds the one of that number. */
    void add(int number, Dice its) {
        boolean lock = its.of(Feature.UNORDERED).chance(0.3) && drawing.has(Feature.UNORDERED);
        boolean data = !lock
                && (drawing.dense ? Dense.isData(its) : its.of(Feature.DATA).chance(0.6))
                && drawing.has(Feature.DATA);
        int rows = its.chance(0.6) ? 1 : 1 + its.below(MOST_ROWS);
        int columns = 1 + its.below(Drawing.MOST_COLUMNS);
        int parent = -1;
        if (!lock && !data && number > 0 && its.of(Feature.PARTS).chance(drawing.rate(Feature.PARTS))) {
            int above = its.of(Feature.PARTS).at(1).below(number);
            parent = drawing.stores.get(above).kind() == Store.Kind.HANDLE ? above : -1;
        }
        Box shape = shape(its, rows, columns);
        Store twin = data ? twin(its) : null;
        if (twin != null) {
            shape = twin.shape();
        }
        boolean roomy = data && twin == null && isRoomy(its);
        if (roomy) {
            shape = roomy(its.of(Feature.FORMULAS).at(2));
        }
        boolean gap = data && shape.dimensions() == 2 && drawing.wants(its, Feature.GAPS);
        Type type = twin != null || roomy ? Type.DOUBLE : data ? its.one(Type.values()) : Type.LONG;
        boolean mine = drawing.mayHold() && its.of(Feature.HELD_VIEWS).chance(0.7); // which takes room
        Home home = mine ? Home.ENGINE : its.one(Home.values());
        boolean aligned = data && home == Home.ENGINE && drawing.wants(its, Feature.ALIGNED);
        drawing.stores.add(new Store(
                number,
                lock && its.of(Feature.UNORDERED).at(1).chance(0.5)
                        ? Store.Kind.GUARDED
                        : lock ? Store.Kind.LOCK : data ? Store.Kind.DATA : Store.Kind.HANDLE,
                type,
                shape,
                parent,
                home,
                gap && !aligned ? 1 + its.of(Feature.GAPS).below(3) : 0,
                parent >= 0 ? drawing.stores.get(parent).kinds() : kinds(its),
                aligned ? aligned(its.of(Feature.ALIGNED), shape) : null));
    }

    /** Returns data of the shape that a store is to have, for formulas; null for any shape. */
    private @Nullable Store twin(Dice its) {
        if (!drawing.has(Feature.FORMULAS) || its.of(Feature.FORMULAS).chance(0.2)) {
            return null;
        }
        return drawing.stores.stream()
                .filter(store -> store.isData() && store.type() == Type.DOUBLE)
                .findFirst()
                .orElse(null);
    }

    private boolean isRoomy(Dice its) {
        return drawing.has(Feature.FORMULAS) && its.of(Feature.FORMULAS).at(1).chance(0.6);
    }

    /** Returns a shape in one to three dimensions, with cells between one or two layers of ghosts along each. */
    private static Box roomy(Dice its) {
        long[] extents = new long[1 + its.below(3)];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = 3L + its.at(i + 1).below(5);
        }
        return Box.whole(extents);
    }

    private static Aligned aligned(Dice its, Box shape) {
        int row = (int) shape.extent(shape.dimensions() - 1);
        return new Aligned(its.below((row + 1) / 2), its.below(3));
    }

    /** Some planes of the rows and columns, seldom. */
    private Box shape(Dice its, int rows, int columns) {
        if (drawing.wants(its, Feature.SOLID)) {
            Dice solid = its.of(Feature.SOLID);
            return Box.whole(2 + solid.below(MOST_ROWS - 1), rows, Math.min(columns, MOST_ROWS));
        }
        return rows == 1 ? Box.whole(columns) : Box.whole(rows, columns);
    }

    private Kinds kinds(Dice its) {
        return drawing.wants(its, Feature.KINDS) ? its.of(Feature.KINDS).one(Kinds.values()) : Kinds.MODES;
    }
}
