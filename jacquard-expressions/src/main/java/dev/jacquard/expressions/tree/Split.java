package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A grid in two slabs along its last axis: the lower one is computed on the host, the upper one on a device.
 *
 * <pre>
 *  last axis    0 ............ cut | cut ............ n
 *  computed     host               | device
 *  read         ... cut + reach    | cut - reach ...      the engine moves these layers alone
 * </pre>
 *
 * <p>Source: the expressions thesis, section 4.1.4.
 *
 * @param device a device, or a kind of devices, of which the first in service is taken
 * @param share the part of the layers that the device computes, above 0 and below 1
 */
record Split(ExecutionTarget device, double share) {
    Split {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "the share of " + device + " is above 0 and below 1, such as 0.5, and not " + share);
        }
        if (device.equals(ExecutionTarget.HOST)) {
            throw new IllegalArgumentException(
                    "a tree is split over the host and a device, and not over host and host");
        }
    }

    /**
     * Returns the slabs of a loop, the host's first.
     *
     * @param below the layers below the upper slab that it accesses of some data, whether the loop reads them or not
     * @throws IllegalArgumentException if one is thinner than the layers that the loop reads of it
     */
    List<Slab> slabs(FieldLoop loop, Map<Data, Integer> below) {
        Grid grid = loop.target().grid();
        int axis = grid.dimensions() - 1;
        int cells = grid.cells(axis);
        int cut = cut(grid);
        Slab.Reach reach = Slab.Reach.of(loop);
        int least = Math.max(1, Math.max(-reach.low(), reach.high()));
        if (cut < least || cells - cut < least) {
            throw new IllegalArgumentException(String.format(
                            Locale.ROOT,
                            "a share of %s leaves the host %d and %s %d of %d layers along %s, and",
                            share,
                            cut,
                            device,
                            cells - cut,
                            cells,
                            "xyz".charAt(axis))
                    + " \"" + loop.target().name() + "\" needs at least " + least + " in each slab"
                    + (2 * least <= cells
                            ? ": take a share "
                                    + (2 * least == cells
                                            ? "of 0.5"
                                            : "from " + (double) least / cells + " to "
                                                    + (double) (cells - least) / cells)
                            : ": the grid is too small to be split"));
        }
        return slabs(grid, below);
    }

    /** Returns the slabs of a grid, the host's first; loops may need thicker ones. */
    List<Slab> slabs(Grid grid, Map<Data, Integer> below) {
        int cells = grid.cells(grid.dimensions() - 1);
        int cut = cut(grid);
        return List.of(new Slab(0, cut, true, false, Map.of()), new Slab(cut, cells, false, true, below));
    }

    private int cut(Grid grid) {
        int cells = grid.cells(grid.dimensions() - 1);
        return cells - (int) Math.round(share * cells);
    }

    /**
     * Submits the tasks of a tree: the loops of the user's on the host.
     *
     * @throws IllegalArgumentException if expressions of the tree are assigned to targets, too
     */
    void submit(List<TreeTasks.Unit> units, Session session, Tasks graph, Parameters parameters) {
        requireAlone(units.stream().anyMatch(TreeTasks.Unit::assigned));
        Split here = on(session);
        List<FieldTask> tasks = new ArrayList<>();
        units.forEach(unit -> tasks.addAll(unit.assignment().tasks()));
        Map<Data, Integer> below = below(tasks);
        tasks.forEach(task -> task.submitSplit(session, graph, here, below, parameters));
    }

    /**
     * Throws an exception if expressions of the tree are assigned to targets, too.
     *
     * @throws IllegalArgumentException if they are
     */
    void requireAlone(boolean assigned) {
        if (assigned) {
            throw new IllegalArgumentException("the tree is split over the host and " + device
                    + ", and expressions of it are assigned to targets: leave one out");
        }
    }

    /** Returns the split with the device itself, if that of the user's is a kind. */
    Split on(Session session) {
        return new Split(DeviceTargets.named(session, "the upper slab", device), share);
    }

    /** Returns true if a device that it may take is in service. */
    boolean isInService(Session session) {
        return session.devices(device).stream().anyMatch(one -> !DeviceTargets.isLost(session, one));
    }

    /**
     * Returns how far below a slab any task reads data that no task writes: devices have a replica for each part that
     * tasks access, so that all access one part.
     */
    static Map<Data, Integer> below(List<FieldTask> tasks) {
        Map<Data, Integer> below = new HashMap<>();
        for (FieldTask task : tasks) {
            task.readsBelow().forEach((data, layers) -> below.merge(data, layers, Math::max));
        }
        tasks.forEach(task -> task.writes().forEach(below::remove));
        return below;
    }
}
