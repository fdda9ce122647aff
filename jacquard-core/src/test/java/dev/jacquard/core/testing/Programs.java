package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.AreaAccess;
import dev.jacquard.core.access.Mode;
import dev.jacquard.core.testing.Program.Line;
import dev.jacquard.core.testing.Program.Touch;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Draws programs from a seed: the same seed, the same program.
 *
 * @param mostLines how long programs get
 * @param mostFields over how many fields they spread
 * @param failing the share of programs in which tasks fail
 */
public record Programs(int mostLines, int mostFields, double failing) {
    private static final List<Mode> MODES = List.of(Mode.values());
    private static final int MOST_TOUCHES = 5;
    private static final int MOST_ROWS = 4;
    private static final int MOST_COLUMNS = 12;
    private static final int MOST_SPINS = 40;

    /** Short programs on few fields, half of them with failures: dense in conflicts. */
    public static Programs dense() {
        return new Programs(40, 5, 0.5);
    }

    /** The program of {@code seed}. */
    public Program draw(long seed) {
        Random random = new Random(seed);
        List<Field> fields = IntStream.rangeClosed(0, random.nextInt(mostFields))
                .mapToObj(i -> field(random))
                .toList();
        double failures = random.nextDouble() < failing ? random.nextDouble() * 0.3 : 0;
        double areas = random.nextDouble();
        List<Line> lines = IntStream.rangeClosed(0, random.nextInt(mostLines))
                .mapToObj(id -> line(random, id, fields, areas, failures))
                .toList();
        return new Program(fields, lines);
    }

    private static Field field(Random random) {
        int rows = random.nextBoolean() ? 1 : 1 + random.nextInt(MOST_ROWS);
        return new Field(rows, 1 + random.nextInt(MOST_COLUMNS));
    }

    private static Line line(Random random, int id, List<Field> fields, double areas, double failures) {
        List<Touch> touches = IntStream.rangeClosed(0, random.nextInt(MOST_TOUCHES))
                .mapToObj(i -> touch(random, random.nextInt(fields.size()), fields, areas))
                .toList();
        boolean fails = random.nextDouble() < failures;
        return new Line(id, "task " + id % 10, touches, fails, random.nextInt(MOST_SPINS));
    }

    private static Touch touch(Random random, int number, List<Field> fields, double areas) {
        Mode mode = MODES.get(random.nextInt(MODES.size()));
        return new Touch(number, random.nextDouble() < areas ? part(random, mode, fields.get(number)) : (Access) mode);
    }

    private static Access part(Random random, Mode mode, Field field) {
        int row = random.nextInt(field.rows());
        int column = random.nextInt(field.columns());
        int lastRow = row + random.nextInt(field.rows() - row);
        int lastColumn = column + random.nextInt(field.columns() - column);
        return new AreaAccess(mode, field.area(row, lastRow, column, lastColumn));
    }
}
