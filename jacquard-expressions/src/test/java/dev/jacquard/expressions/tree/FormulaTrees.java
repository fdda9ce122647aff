package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.abs;
import static dev.jacquard.expressions.language.Functions.number;

import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Formulas;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.Data;
import java.util.HashMap;
import java.util.Map;

/**
 * The trees that random programs of the core have among their tasks: all on one grid are of one store, whose fields are
 * the data of the program.
 *
 * <p>Threads: any. All is guarded by this.
 */
final class FormulaTrees implements Formulas.Trees {
    private final Session session;
    private final Map<Grid, FieldStore> stores = new HashMap<>();
    private final Map<Grid, Map<Data, Tag<Cell>>> tags = new HashMap<>();
    private int submitted;

    FormulaTrees(Session session) {
        this.session = session;
    }

    @Override
    public synchronized void submit(Tasks where, Data target, Data one, Data other, long number, boolean ghosts) {
        Grid grid = FormulaLoops.grid(target.box(), ghosts ? 1 : 0);
        FieldStore fields = stores.computeIfAbsent(grid, its -> FieldStore.open(session, its));
        Tag<Cell> first = tag(fields, one);
        Tag<Cell> second = tag(fields, other);
        Tag<Cell> whole = tag(fields, target);
        int its = submitted++;
        Tag<Cell> once = Tag.cell("once " + its);
        Tag<Cell> twice = Tag.cell("twice " + its);
        Tag<Cell> result = Tag.cell("result " + its);
        fields.alias(result, whole);
        Model model = first.equals(second)
                ? Model.of(grid).source(first)
                : Model.of(grid).source(first, second);
        ExpressionTree tree = model.define(once, ghosts ? FormulaLoops.difference(second, number) : second.plus(0))
                .define(twice, once.times(2))
                .define(result, abs(abs(first.minus(twice.minus(once))).minus(number((double) number))))
                .tree(result)
                .fuse(number % 3 == 0)
                .fields(where instanceof Recorder ? MemoryPlan.Policy.STATIC : MemoryPlan.Policy.DYNAMIC);
        tree.submit(fields, where);
    }

    private Tag<Cell> tag(FieldStore fields, Data data) {
        return tags.computeIfAbsent(fields.grid(), any -> new HashMap<>()).computeIfAbsent(data, any -> {
            Tag<Cell> tag = Tag.cell("data " + submitted + " " + data.name());
            fields.external(tag, data);
            return tag;
        });
    }

    @Override
    public synchronized void close() {
        stores.values().forEach(FieldStore::close);
    }
}
