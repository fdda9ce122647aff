package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Area;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of areas that finds the areas which intersect a given one, by hashing the cells of grids.
 *
 * <p>An area lies on the grid of its <em>level</em>, with cells just wider than the area in each dimension, and so in
 * at most two cells per dimension. A look-up asks each level for the cells that it touches. However sizes are mixed,
 * areas that do not overlap each other crowd no cell. Levels that are too many, and cells too small for the areas
 * looked up, are made coarser.
 *
 * <p>The cells of all levels share one hash table, which does not hold which cell it was: other areas in a bucket are
 * distinguished by their bounds. Cell numbers need only rise with the coordinates to be right, so the numbers of
 * extreme coordinates may saturate. Cells have up to {@value #MOST_DIMENSIONS} dimensions, whatever the areas have.
 *
 * <p>Areas have numbers, which are used again. All are of the first one's space. Not thread-safe.
 */
final class AreaGrid {
    private static final int MOST_DIMENSIONS = 4;
    /** The number of areas that a new grid has room for. */
    static final int FIRST_CAPACITY = 32;

    /** The work per area, beyond the areas found, that justifies coarser cells; {@link #PATIENCE} is added once. */
    private static final int PATIENCE_PER_AREA = 8;

    private static final int PATIENCE = 4_096;

    /**
     * The cost of a look-up, in cells and areas looked at, that is not too much: this number, and as much per area
     * found.
     */
    private static final int ALLOWANCE = 32;

    private static final int ALLOWANCE_PER_FIND = 4;

    /** In place of an area of which the grid has the bounds alone. */
    private static final Area PACKED = Area.of(0, 0);

    private final Area example;
    private final CellLevels levels;
    /** Bounds per area. */
    private final int stride;

    /** The areas by number; {@link #PACKED} where only the bounds are kept, null where the number is free. */
    private @Nullable Area[] areas = new @Nullable Area[FIRST_CAPACITY];
    /** Their bounds by rank, side by side. */
    private long[] bounds;
    /** The last look-up that found the area, so that it is found once; where the number is free the next free one. */
    private int[] marks = new int[FIRST_CAPACITY];

    private int lookUp;
    private int size;
    /** All numbers are below. */
    private int top;
    /** -1 when none. */
    private int free = -1;

    /** First node per bucket; 0 for none. The length is a power of two. */
    private int[] buckets = new int[4 * FIRST_CAPACITY];
    /** Number of the area and next node in turn; node 0 is none. */
    private int[] nodes = new int[8 * FIRST_CAPACITY];

    private int nodesTop = 1;
    private int freeNode;
    private int nodesUsed;

    private int[] found = new int[FIRST_CAPACITY];
    private int finds;
    private long work;
    private long wasted;

    /** The bounds of the area that is looked up. */
    private final long[] wanted;
    /** The cells touched in each dimension. */
    private final CellRange range;

    /** An empty grid for areas of the space of {@code example}. */
    AreaGrid(Area example) {
        this.example = example;
        stride = 2 * example.dimensions();
        int dimensions = Math.min(example.dimensions(), MOST_DIMENSIONS);
        levels = new CellLevels(dimensions, example.isReal());
        range = new CellRange(dimensions);
        bounds = new long[stride * FIRST_CAPACITY];
        wanted = new long[stride];
    }

    /** An area of the space of all. */
    Area example() {
        return example;
    }

    int size() {
        return size;
    }

    /** Returns the bound of the numbers. */
    int capacity() {
        return areas.length;
    }

    /** All numbers are below this. */
    int top() {
        return top;
    }

    /** The area of this number; null when there is none. */
    @Nullable
    @SuppressWarnings("ReferenceEquality") // a mark, which no other object is
    Area area(int number) {
        Area area = areas[number];
        return area == PACKED ? example.ofRanks(bounds, stride * number) : area;
    }

    /** Returns true if there is an area of this number. */
    boolean has(int number) {
        return areas[number] != null;
    }

    /** Keeps the bounds alone of the area of this number, which is seldom looked at. */
    void pack(int number) {
        areas[number] = PACKED;
    }

    /** Adds an area and gives it a number. */
    int add(Area area) {
        int number = free;
        if (number >= 0) {
            free = marks[number];
        } else {
            number = top++;
            if (number == areas.length) {
                grow();
            }
        }
        areas[number] = area;
        area.ranks(bounds, stride * number);
        marks[number] = lookUp;
        size++;
        if (levels.add(area)) {
            enter(number, area);
        } else {
            rebuild();
        }
        if (nodesUsed > buckets.length) {
            rebuild();
        }
        return number;
    }

    /** Removes the area of this number, which may be given again. */
    void remove(int number) {
        Area area = area(number);
        if (area == null) {
            return;
        }
        int level = levels.of(area);
        levels.cells(level, area, range);
        do {
            unlink(bucket(level), number);
        } while (range.next());
        levels.remove(level);
        areas[number] = null;
        marks[number] = free;
        free = number;
        size--;
    }

    /**
     * Looks for all areas that intersect {@code area}; how many. Their numbers are {@link #found} until the next
     * look-up.
     */
    int find(Area area) {
        area.ranks(wanted, 0);
        finds = 0;
        nextLookUp();
        int cells = levels.countCells(area, size);
        int looks = cells + (cells > size ? findEverywhere() : findInCells(area));
        work += looks;
        wasted = Math.max(0, wasted + looks - ALLOWANCE - (long) ALLOWANCE_PER_FIND * finds);
        if (wasted > PATIENCE + (long) PATIENCE_PER_AREA * size) {
            wasted = 0;
            if (cells > ALLOWANCE && levels.coarsenFor(area)) {
                rebuild();
            }
        }
        return finds;
    }

    /** Returns the number of cells and areas that all look-ups have looked at; for tests. */
    long work() {
        return work;
    }

    /** A number that the last look-up found. */
    int found(int index) {
        return found[index];
    }

    private void nextLookUp() {
        if (++lookUp == Integer.MAX_VALUE) {
            lookUp = 1;
            for (int number = 0; number < top; number++) {
                if (areas[number] != null) {
                    marks[number] = 0;
                }
            }
        }
    }

    /** Like the two below says how many areas it looked at. */
    private int findEverywhere() {
        for (int number = 0; number < top; number++) {
            if (areas[number] != null && isWanted(number)) {
                note(number);
            }
        }
        return top;
    }

    private int findInCells(Area area) {
        int seen = 0;
        for (int level = 0; level < levels.count(); level++) {
            if (levels.size(level) > 0) {
                levels.cells(level, area, range);
                do {
                    seen += findIn(bucket(level));
                } while (range.next());
            }
        }
        return seen;
    }

    private int findIn(int bucket) {
        int seen = 0;
        int[] chain = nodes;
        for (int node = buckets[bucket]; node != 0; node = chain[2 * node + 1]) {
            int number = chain[2 * node];
            if (isWanted(number) && marks[number] != lookUp) {
                marks[number] = lookUp;
                note(number);
            }
            seen++;
        }
        return seen;
    }

    private boolean isWanted(int number) {
        int from = stride * number;
        for (int at = 0; at < stride; at += 2) {
            if (wanted[at] > bounds[from + at + 1] || bounds[from + at] > wanted[at + 1]) {
                return false;
            }
        }
        return true;
    }

    private void note(int number) {
        if (finds == found.length) {
            found = Arrays.copyOf(found, 2 * finds);
        }
        found[finds++] = number;
    }

    // ---- the hash table

    private int bucket(int level) {
        return (int) (range.hash(level) >>> 32) & (buckets.length - 1);
    }

    private void enter(int number, Area area) {
        int level = levels.of(area);
        levels.cells(level, area, range);
        do {
            int node = newNode();
            int bucket = bucket(level);
            nodes[2 * node] = number;
            nodes[2 * node + 1] = buckets[bucket];
            buckets[bucket] = node;
        } while (range.next());
    }

    private int newNode() {
        nodesUsed++;
        int node = freeNode;
        if (node != 0) {
            freeNode = nodes[2 * node + 1];
            return node;
        }
        if (2 * nodesTop == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * nodes.length);
        }
        return nodesTop++;
    }

    /** Takes one node of the area out of a bucket; there is one for each of its cells there. */
    private void unlink(int bucket, int number) {
        int before = 0;
        int node = buckets[bucket];
        while (nodes[2 * node] != number) {
            before = node;
            node = nodes[2 * node + 1];
        }
        if (before == 0) {
            buckets[bucket] = nodes[2 * node + 1];
        } else {
            nodes[2 * before + 1] = nodes[2 * node + 1];
        }
        nodes[2 * node + 1] = freeNode;
        freeNode = node;
        nodesUsed--;
    }

    private void grow() {
        areas = Arrays.copyOf(areas, 2 * areas.length);
        bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        marks = Arrays.copyOf(marks, 2 * marks.length);
    }

    /** Enters all areas again, by the levels as they should be now, into as many buckets as there should be. */
    private void rebuild() {
        boolean enoughLevels;
        do {
            levels.clear();
            enoughLevels = true;
            for (int number = 0; number < top && enoughLevels; number++) {
                Area area = area(number);
                enoughLevels = area == null || levels.add(area);
            }
        } while (!enoughLevels);
        if (2 * nodesUsed > buckets.length) {
            buckets = new int[2 * buckets.length];
        } else {
            Arrays.fill(buckets, 0);
        }
        nodesTop = 1;
        nodesUsed = 0;
        freeNode = 0;
        for (int number = 0; number < top; number++) {
            Area area = area(number);
            if (area != null) {
                enter(number, area);
            }
        }
    }
}
