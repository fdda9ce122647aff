package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The derivatives of a rate in a cell by a field's values in the cells around: what the loop of the rate's derivative
 * gives for directions that are 1 in some cells and 0 in all others. In one row of cells lie several ones, so far apart
 * that no cell sees two.
 *
 * <p>Confined to one thread.
 *
 * <p>Source: Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, IMA Journal of Applied Mathematics
 * 13 (1974).
 */
final class Jacobian {
    private final Grid grid;
    private final Body body;
    private final Loop loop;
    private final double[] parameters;
    private final List<Binding.Place> places;
    /** The number of the direction among the inputs. */
    private final int direction;

    private final List<Element> offsets;
    private final List<Probe> probes = new ArrayList<>();
    /** For each offset, the probes of its row by their colors. */
    private final List<List<Probe>> seen = new ArrayList<>();

    private final double[] values;
    private final int rowBytes;

    /**
     * A row of ones, at a distance from the row of the results.
     *
     * @param dy the distance
     * @param dz the distance
     * @param period from one of the ones to the next
     * @param color the index of the first of them, below the period
     * @param place where the loop finds the direction, for row 0
     * @param results where it leaves its results
     */
    private record Probe(int dy, int dz, int period, int color, Binding.Place place, Binding.Place results) {}

    /**
     * @param plan of the derivative
     * @param loop of its body; one that suits the memory of the inputs
     * @param direction the number of the direction among its inputs
     * @param place returns the places of its other inputs
     * @param arena for rows
     */
    Jacobian(
            Grid grid,
            Lowering.Plan plan,
            int direction,
            Loop loop,
            Function<String, Double> parameter,
            Function<Lowering.Plan.Input, Binding.Place> place,
            Arena arena) {
        this.grid = grid;
        this.body = plan.body();
        this.loop = loop;
        this.parameters =
                body.parameters().stream().mapToDouble(parameter::apply).toArray();
        this.direction = direction;
        this.places = new ArrayList<>();
        for (int i = 0; i < plan.inputs().size(); i++) {
            places.add(
                    i == direction
                            ? new Binding.Place(MemorySegment.NULL, 0, 0, 0)
                            : place.apply(plan.inputs().get(i)));
        }
        this.offsets = offsets();
        // Room for ghosts, and for the whole vectors in which lanes read and write.
        this.rowBytes =
                (grid.cells(0) + 4 * Grid.MOST_GHOSTS + 32) * grid.type().bytes();
        this.values = new double[offsets.size()];
        Map<List<Integer>, Set<Integer>> rows = new LinkedHashMap<>();
        offsets.forEach(offset -> rows.computeIfAbsent(List.of(offset.dy(), offset.dz()), any -> new LinkedHashSet<>())
                .add(offset.dx()));
        rows.forEach((row, along) -> addProbes(row.get(0), row.get(1), along, arena));
        offsets.forEach(offset -> seen.add(probes.stream()
                .filter(probe -> probe.dy == offset.dy() && probe.dz == offset.dz())
                .toList()));
    }

    private List<Element> offsets() {
        Set<Element> all = new LinkedHashSet<>();
        for (Value value : body.values()) {
            if (value.operator() == Operator.INPUT && value.element().input() == direction) {
                all.add(value.element());
            }
        }
        return List.copyOf(all);
    }

    private void addProbes(int dy, int dz, Set<Integer> along, Arena arena) {
        int least = along.stream().mapToInt(dx -> dx).min().orElse(0);
        int most = along.stream().mapToInt(dx -> dx).max().orElse(0);
        int period = most - least + 1;
        int farY = far(1);
        int farZ = far(2);
        for (int color = 0; color < period; color++) {
            long pitchZ = (4L * farY + 1) * rowBytes;
            MemorySegment memory = arena.allocate(pitchZ * (4L * farZ + 1) + rowBytes, 64);
            long ones = 2L * farY * rowBytes + 2L * farZ * pitchZ + lead();
            for (int x = -Grid.MOST_GHOSTS; x < grid.cells(0) + Grid.MOST_GHOSTS; x++) {
                if (Math.floorMod(x, period) == color) {
                    set(memory, ones, x);
                }
            }
            Binding.Place place =
                    new Binding.Place(memory, ones - dy * (long) rowBytes - dz * pitchZ, rowBytes, pitchZ);
            Binding.Place results = new Binding.Place(arena.allocate(rowBytes, 64), lead(), 0, 0);
            probes.add(new Probe(dy, dz, period, color, place, results));
        }
    }

    private int far(int axis) {
        return offsets.stream()
                .mapToInt(offset -> Math.abs(offset.distance(axis)))
                .max()
                .orElse(0);
    }

    private long lead() {
        return 2L * Grid.MOST_GHOSTS * grid.type().bytes();
    }

    private void set(MemorySegment memory, long start, int x) {
        if (grid.type() == ElementType.FLOAT32) {
            memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, start + (long) x * Float.BYTES, 1);
        } else {
            memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, start + (long) x * Double.BYTES, 1);
        }
    }

    private double get(Binding.Place place, int x) {
        return grid.type() == ElementType.FLOAT32
                ? place.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, place.start() + (long) x * Float.BYTES)
                : place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, place.start() + (long) x * Double.BYTES);
    }

    /** Returns the distances of the cells that the rate reads. */
    List<Element> distances() {
        return offsets;
    }

    /** Computes the derivatives in a row of cells. */
    void row(int y, int z) {
        for (Probe probe : probes) {
            Binding.Place rows = probe.place;
            List<Binding.Place> its = new ArrayList<>(places);
            // The loop goes to row (y, z), and is to find the same rows for each.
            its.set(
                    direction,
                    new Binding.Place(
                            rows.segment(),
                            rows.start() - y * rows.strideY() - z * rows.strideZ(),
                            rows.strideY(),
                            rows.strideZ()));
            its.add(probe.results);
            loop.run(new Binding(body, its), parameters, new Range(0, grid.cells(0), y, y + 1, z, z + 1));
        }
    }

    /** Returns the derivatives in a cell of the last row, in the order of the distances; the next call changes them. */
    double[] at(int x) {
        for (int i = 0; i < values.length; i++) {
            List<Probe> its = seen.get(i);
            values[i] = get(its.get(Math.floorMod(x + offsets.get(i).dx(), its.size())).results, x);
        }
        return values;
    }
}
