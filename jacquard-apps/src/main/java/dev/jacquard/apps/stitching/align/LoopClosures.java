package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;
import java.util.Arrays;
import java.util.List;

/**
 * The loops of four neighbours: over the right and down must lead where down and over the right leads. A loop that does
 * not close shows that one of its pairs is wrong; a pair that is missing from a loop of three others is known by them.
 */
final class LoopClosures {
    /** Each displacement is rounded, so a loop may miss by this many pixels. */
    private static final int TOLERANCE = 2;

    private final Grid grid;
    private final List<Measurement> measurements;
    private final boolean[] certain;
    /** The index in the list of the pair that ends at a tile, one for each direction; -1 when there is none. */
    private final int[] west;

    private final int[] north;

    private final int[] closed;
    private final int[] open;
    private final boolean[] confirmed;

    private LoopClosures(Grid grid, List<Measurement> measurements, boolean[] certain) {
        this.grid = grid;
        this.measurements = measurements;
        this.certain = certain;
        this.closed = new int[certain.length];
        this.open = new int[certain.length];
        this.confirmed = new boolean[certain.length];
        this.west = new int[grid.tiles()];
        this.north = new int[grid.tiles()];
        Arrays.fill(west, -1);
        Arrays.fill(north, -1);
        for (int i = 0; i < measurements.size(); i++) {
            Pair pair = measurements.get(i).pair();
            (pair.direction() == Direction.WEST ? west : north)[pair.to()] = i;
        }
    }

    /**
     * The pairs that remain or become trusted when their loops are looked at; all loops see the same {@code certain}.
     */
    static boolean[] judge(Grid grid, List<Measurement> measurements, boolean[] certain) {
        LoopClosures loops = new LoopClosures(grid, measurements, certain);
        for (int row = 0; row + 1 < grid.rows(); row++) {
            for (int column = 0; column + 1 < grid.columns(); column++) {
                loops.look(row, column);
            }
        }
        boolean[] trusted = new boolean[certain.length];
        for (int i = 0; i < trusted.length; i++) {
            boolean contradicted = loops.open[i] > 0 && loops.closed[i] == 0;
            trusted[i] = certain[i] ? !contradicted : loops.confirmed[i] && loops.open[i] == 0;
        }
        return trusted;
    }

    private void look(int row, int column) {
        int corner = grid.tile(row, column);
        int below = corner + grid.columns();
        int[] sides = {west[corner + 1], north[below + 1], north[below], west[below + 1]};
        int missX = 0;
        int missY = 0;
        int sure = 0;
        for (int i = 0; i < 4; i++) {
            if (sides[i] < 0) {
                return;
            }
            Measurement side = measurements.get(sides[i]);
            missX += i < 2 ? side.dx() : -side.dx();
            missY += i < 2 ? side.dy() : -side.dy();
            sure += certain[sides[i]] ? 1 : 0;
        }
        count(sides, sure, Math.max(Math.abs(missX), Math.abs(missY)));
    }

    private void count(int[] sides, int sure, int miss) {
        for (int side : sides) {
            if (sure == 4 && miss <= TOLERANCE) {
                closed[side]++;
            } else if (sure == 4) {
                open[side]++;
            } else if (sure == 3 && !certain[side]) {
                confirmed[side] |= miss < TOLERANCE && measurements.get(side).hinted();
                open[side] += miss < TOLERANCE ? 0 : 1;
            }
        }
    }
}
