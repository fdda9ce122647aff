package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exchange between two fields that meet at a side: the border of the one goes to the ghosts of the other. Its task
 * accesses these areas alone, so that others may compute the cores concurrently. Immutable.
 *
 * <p>Along y and z the ghosts of the axes before go with it, as {@link Boundaries} fills them: with the exchanges along
 * x submitted first, then the exchanges along y and z, edges and corners have the values of the neighbour's neighbours.
 * Where some sides are walls, the same holds axis by axis: the exchanges along an axis, then the walls across it, by
 * boundaries that leave all other sides {@linkplain Boundaries.Condition#exchanged() to exchanges}. Points on a face
 * between both fields belong to both, and are not copied.
 *
 * <pre>{@code
 * Exchange.of(left.field(T), Side.X_HIGH, right.field(T)).submit(graph);
 * Exchange.of(right.field(T), Side.X_LOW, left.field(T)).submit(graph);
 * }</pre>
 *
 * <p>Threads: any.
 *
 * <p>Source: the resource-register document, section 5 (border, core, and exchange buffers of fields).
 */
public final class Exchange {
    private final GridField from;
    private final GridField to;
    private final View border;
    private final View ghosts;

    private Exchange(GridField from, GridField to, Range border, Range ghosts) {
        this.from = from;
        this.to = to;
        this.border = from.view(border);
        this.ghosts = to.view(ghosts);
    }

    /**
     * Returns the exchange from one field to its neighbour. It copies the present values: where a tree may have
     * computed the field without its own memory, {@link FieldStore#current} says so.
     *
     * @param side of the field {@code from}, beyond which the other one lies
     * @param to the neighbour, on another grid, or the field itself for one that repeats itself
     * @throws IllegalArgumentException if the fields do not fit: other points, types, numbers of cells along the side,
     *     or ghosts, or fewer cells than ghosts
     */
    public static Exchange of(GridField from, Side side, GridField to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(to, "to");
        to.requireWritable();
        Grid grid = from.grid();
        int axis = side.axis();
        if (axis >= grid.dimensions()) {
            throw new IllegalArgumentException(
                    "a grid of " + grid + " has no side " + side + ": " + from + " has no neighbour there");
        }
        int layers = to.grid().ghostLayers(axis);
        requireFit(from, side, to);
        if (layers == 0) {
            throw new IllegalArgumentException(
                    to + " has no ghost layers that an exchange could fill: ask for Grid.ghosts(1)");
        }
        if (grid.cells(axis) < layers) {
            throw new IllegalArgumentException(to + " has " + UserExpression.layers(layers) + ", and " + from + " has "
                    + grid.cells(axis) + " cells to fill them from side " + side);
        }
        int first = from.centring().isStaggered(axis) ? 1 : 0;
        int border = side.isHigh() ? grid.cells(axis) - layers : first;
        int ghosts = side.isHigh() ? -layers : to.grid().points(to.centring(), axis);
        return new Exchange(from, to, layers(from, axis, border, layers), layers(to, axis, ghosts, layers));
    }

    private static void requireFit(GridField from, Side side, GridField to) {
        Grid one = from.grid();
        Grid other = to.grid();
        boolean fits = one.dimensions() == other.dimensions()
                && from.centring() == to.centring()
                && one.type() == other.type()
                && one.ghostLayers(0) == other.ghostLayers(0);
        for (int axis = 0; fits && axis < one.dimensions(); axis++) {
            fits = axis == side.axis() || one.cells(axis) == other.cells(axis);
        }
        if (!fits) {
            throw new IllegalArgumentException(from + " on " + one + ", and " + to + " on " + other
                    + ", do not meet at side " + side
                    + ": they need the same points, elements, ghosts, and cells along that side");
        }
    }

    /** Returns some layers across an axis, with the ghosts of the axes before. */
    private static Range layers(GridField field, int axis, int from, int count) {
        Range all = field.grid().valid(field.centring());
        Range inner = field.grid().interior(field.centring());
        return new Range(
                axis == 0 ? from : all.x0(),
                axis == 0 ? from + count : all.x1(),
                axis == 1 ? from : axis > 1 ? all.y0() : inner.y0(),
                axis == 1 ? from + count : axis > 1 ? all.y1() : inner.y1(),
                axis == 2 ? from : inner.z0(),
                axis == 2 ? from + count : inner.z1());
    }

    /** Submits the task that copies the border. */
    public Task<@Nullable Void> submit(Tasks graph) {
        BindingBody body = context -> {
            Memory source = context.memory(border);
            Memory target = context.memory(ghosts);
            return run -> copy(source, target);
        };
        return graph.task("exchange of " + from.name() + " to " + to.name())
                .reads(border)
                .writes(ghosts)
                .run(body);
    }

    /** Copies rows, which are the last dimension; both have as many. */
    private static void copy(Memory source, Memory target) {
        int last = source.layout().dimensions() - 1;
        long planes = last > 1 ? source.layout().extent(0) : 1;
        long rows = last > 0 ? source.layout().extent(last - 1) : 1;
        long bytes = source.layout().extent(last) * source.layout().type().bytes();
        for (long z = 0; z < planes; z++) {
            for (long y = 0; y < rows; y++) {
                MemorySegment.copy(source.segment(), at(source, y, z), target.segment(), at(target, y, z), bytes);
            }
        }
    }

    private static long at(Memory memory, long y, long z) {
        int last = memory.layout().dimensions() - 1;
        long elements = (last > 0 ? y * memory.layout().stride(last - 1) : 0)
                + (last > 1 ? z * memory.layout().stride(0) : 0);
        return elements * memory.layout().type().bytes();
    }
}
