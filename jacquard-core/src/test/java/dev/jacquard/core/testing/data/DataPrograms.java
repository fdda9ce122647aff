package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.testing.data.DataProgram.Field;
import dev.jacquard.core.testing.data.DataStep.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws programs. The same seed gives the same program.
 *
 * <p>Parts are mostly tiles of a grid, so that they meet again, some with a halo, some whole fields; a quarter of the programs have tasks that
 * fail, an eighth cancel a graph, two fifths have several submitters.
 */
public final class DataPrograms {
    /** How many bytes the largest field takes. */
    public static final long FIELD_BYTES = 64 * Long.BYTES;
    /** How many fields of that size a task accesses at most. */
    public static final int MOST_FIELDS_OF_A_TASK = MixKernel.MOST_READS + 1;

    private static final List<Box> SHAPES =
            List.of(Box.whole(64), Box.whole(8, 8), Box.whole(6, 10), Box.whole(4, 4, 4));
    private static final int MOST_TASKS = 40;
    private static final int MOST_SUBMITTERS = 3;

    private final SplittableRandom random;
    private final List<Field> fields = new ArrayList<>();
    private final int submitters;
    private final boolean fails;
    private final boolean cancels;
    private int tasks;

    private DataPrograms(long seed) {
        random = new SplittableRandom(seed);
        submitters = random.nextInt(5) < 3 ? 1 : 2 + random.nextInt(MOST_SUBMITTERS - 1);
        fails = random.nextInt(4) == 0;
        cancels = random.nextInt(8) == 0;
    }

    /** The program of a seed. */
    public static DataProgram draw(long seed) {
        return new DataPrograms(seed).draw();
    }

    private DataProgram draw() {
        for (int i = 3 + random.nextInt(4); i > 0; i--) {
            Box shape = SHAPES.get(random.nextInt(SHAPES.size()));
            boolean gap = shape.dimensions() == 2 && random.nextInt(3) == 0;
            fields.add(new Field(shape, random.nextBoolean(), gap ? 1 + random.nextInt(3) : 0, random.nextLong()));
        }
        int window = random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0;
        List<List<DataStep>> all = new ArrayList<>();
        for (int who = 0; who < submitters; who++) {
            all.add(List.copyOf(steps(who)));
        }
        return new DataProgram(List.copyOf(fields), List.copyOf(all), window);
    }

    private List<DataStep> steps(int who) {
        List<DataStep> steps = new ArrayList<>();
        for (int i = 4 + random.nextInt(MOST_TASKS / submitters); i > 0; i--) {
            steps.add(task(who));
            int what = random.nextInt(60);
            if (what < 2) {
                steps.add(new DataStep.Fetch(random.nextInt(fields.size())));
            } else if (what < 5) {
                steps.add(new DataStep.Look(part(random.nextInt(fields.size()), who)));
            } else if (what == 5 && submitters == 1) {
                steps.add(new DataStep.Free(random.nextInt(fields.size())));
            } else if (what < 8 && cancels) {
                steps.add(new DataStep.Cancel());
            }
        }
        return steps;
    }

    private DataStep.Task task(int who) {
        Part writes = part(firstWritten() + random.nextInt(fields.size() - firstWritten()), who);
        List<Part> reads = new ArrayList<>();
        for (int i = random.nextInt(MixKernel.MOST_READS + 1); i > 0; i--) {
            Part read = part(random.nextInt(fields.size()), who);
            if (random.nextInt(4) == 0) {
                Box limits = readable(read.field(), who);
                read = new Part(read.field(), read.box().grow(1 + random.nextInt(2), limits));
            }
            if (read.field() != writes.field() || !read.box().intersects(writes.box())) {
                reads.add(read);
            }
        }
        return new DataStep.Task(
                tasks++,
                List.copyOf(reads),
                writes,
                random.nextInt(3) > 0,
                random.nextInt(5),
                random.nextInt(3) == 0 ? 1 : 0,
                fails && random.nextInt(12) == 0);
    }

    /** Several submitters have a field that all read and nobody writes. */
    private int firstWritten() {
        return submitters == 1 ? 0 : 1;
    }

    private Box readable(int field, int who) {
        Box all = fields.get(field).box();
        return field < firstWritten() ? all : DataProgram.territory(all, who, submitters);
    }

    private Part part(int field, int who) {
        Box within = readable(field, who);
        if (random.nextInt(5) == 0) {
            return new Part(field, within);
        }
        int dimensions = within.dimensions();
        long[] from = new long[dimensions];
        long[] to = new long[dimensions];
        long tile = random.nextInt(3) == 0 ? 1 : dimensions == 1 ? 8 : 2;
        for (int d = 0; d < dimensions; d++) {
            long tiles = Math.ceilDiv(within.extent(d), tile);
            long first = random.nextLong(tiles);
            long count = 1 + random.nextLong(Math.min(3, tiles - first));
            from[d] = within.from(d) + first * tile;
            to[d] = Math.min(within.to(d), from[d] + count * tile);
        }
        return new Part(field, Box.of(from, to));
    }
}
