package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.AreaAccess;
import dev.jacquard.core.access.Mode;
import dev.jacquard.core.testing.Line.Body;
import dev.jacquard.core.testing.Line.Order;
import dev.jacquard.core.testing.Line.Pending;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Draws programs from a seed: the same seed, the same program. Each has some of the features only, so that those which fail
 * are easy to read.
 *
 * @param mostLines how many lines the submitters have together, at most
 * @param mostFields over how many fields they spread
 * @param submitters how many threads submit, at most 4
 * @param changing whether most tasks are to overwrite, are demoted while they are pending, and meet on few cells
 */
public record Programs(int mostLines, int mostFields, int submitters, boolean changing) {
    private static final List<Mode> MODES = List.of(Mode.values());
    private static final List<Mode> LEFT = List.of(Mode.READ, Mode.ADD, Mode.MUL, Mode.NONE);
    private static final int MOST_ROWS = 4;
    private static final int MOST_COLUMNS = 12;
    private static final int MOST_SPINS = 40;
    /** With those that bodies submit. */
    static final int MOST_IN_GRAPH = 60;

    /** Short programs on few fields by one thread: dense in conflicts. */
    public static Programs dense() {
        return new Programs(24, 5, 1, false);
    }

    /** Short programs by several threads. */
    public static Programs crowded() {
        return new Programs(24, 4, 4, false);
    }

    /** Short programs by up to so many threads, dense in tasks that fail and that give up to overwrite before they start. */
    public static Programs changing(int submitters) {
        return new Programs(24, 3, submitters, true);
    }

    /** The program of {@code seed}. */
    public Program draw(long seed) {
        return new Draft(new Random(seed)).program();
    }

    /** One program while it is drawn. */
    private final class Draft {
        private final Random random;
        private final List<Field> fields = new ArrayList<>();
        private final Rules rules = new Rules(fields);
        private final double areas;
        private final double failures;
        private final double orders;
        private final double demotions;
        private final double refinements;
        private final double early;
        private final double submissions;
        private final double barriers;
        private final double mains;
        private int id;
        private int inGraph;

        Draft(Random random) {
            this.random = random;
            this.areas = random.nextDouble();
            this.failures = changing ? 0.1 + 0.2 * random.nextDouble() : often(0.4) * 0.3;
            this.orders = often(0.3) * 0.4;
            this.demotions = changing ? 0.7 : often(0.5) * 0.6;
            this.refinements = often(changing ? 0.1 : 0.5) * 0.6;
            this.early = changing ? 1 : often(0.4) * 0.6;
            this.submissions = often(0.25) * 0.3;
            this.barriers = often(changing ? 0.05 : 0.2) * 0.2;
            this.mains = often(0.2) * 0.3;
        }

        /** Something in one of so many programs, and then more or less of it. */
        private double often(double share) {
            double much = random.nextDouble();
            return random.nextDouble() < share ? much : 0;
        }

        Program program() {
            double parts = often(0.5);
            double unordered = often(changing ? 0.05 : 0.4);
            int count = 1 + random.nextInt(mostFields);
            for (int i = 0; i < count; i++) {
                fields.add(field(i, parts, unordered));
            }
            int threads = 1 + random.nextInt(submitters);
            int lines = 1 + random.nextInt(mostLines);
            List<List<Line>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                List<Line> mine = new ArrayList<>();
                for (int j = 0; j * threads < lines; j++) {
                    mine.add(topLine(mine, submissions));
                }
                all.add(List.copyOf(mine));
            }
            return new Program(List.copyOf(fields), List.copyOf(all));
        }

        private Field field(int number, double parts, double unordered) {
            int rows = random.nextBoolean() ? 1 : 1 + random.nextInt(MOST_ROWS);
            int columns = 1 + random.nextInt(changing ? MOST_COLUMNS / 3 : MOST_COLUMNS);
            int parent = number > 0 && random.nextDouble() < parts ? random.nextInt(number) : -1;
            boolean free = parent >= 0 ? fields.get(parent).unordered() : random.nextDouble() < unordered;
            return new Field(rows, columns, parent, free);
        }

        private Line topLine(List<Line> before, double submitting) {
            inGraph++;
            List<Touch> touches = new ArrayList<>();
            for (int i = random.nextInt(changing ? 2 : 5); i >= 0; i--) {
                int field = random.nextInt(fields.size());
                boolean overwrites = changing && random.nextBoolean();
                Mode mode = overwrites ? Mode.OVERWRITE : MODES.get(random.nextInt(MODES.size()));
                touches.add(random.nextDouble() < areas ? part(mode, field, -1L) : new Touch(field, mode));
            }
            return line(before, touches, 2, submitting);
        }

        /** A line whose accesses {@code touches} are; {@code depth} is how deep it may be refined. */
        private Line line(List<Line> before, List<Touch> touches, int depth, double submitting) {
            int its = id++;
            List<Touch> left = touches;
            List<Touch> early = new ArrayList<>();
            while (random.nextDouble() < this.early * demotions && early.size() < 2) {
                Touch to = smaller(left, List.of());
                if (to == null || overwrites(left, to)) {
                    break; // only a body can give up to overwrite
                }
                early.add(to);
                left = Rules.demoted(left, to);
            }
            List<Line> inside =
                    depth > 0 && random.nextDouble() < this.early * refinements ? subLines(left, depth) : List.of();
            List<Line> subs = new ArrayList<>(inside);
            List<Step> steps = new ArrayList<>();
            boolean refined = false;
            for (int i = random.nextInt(4); i > 0; i--) {
                if (random.nextDouble() < demotions) {
                    Touch to = smaller(left, subs);
                    if (to != null) {
                        steps.add(new Step.Demote(to));
                        left = Rules.demoted(left, to);
                    }
                }
                if (depth > 0 && random.nextDouble() < refinements) {
                    List<Line> lines = subLines(left, depth);
                    subs.addAll(lines);
                    steps.add(new Step.Refine(lines));
                    refined = true;
                }
                if (random.nextDouble() < submitting && inGraph < MOST_IN_GRAPH) {
                    steps.add(new Step.Submit(topLine(List.of(), submitting / 2)));
                }
            }
            if (refined && random.nextInt(3) == 0) {
                steps.add(new Step.Afterwards());
            }
            Body body = new Body(List.copyOf(steps), random.nextDouble() < failures, random.nextInt(MOST_SPINS));
            return new Line(its, touches, order(before, depth == 2), new Pending(List.copyOf(early), inside), body);
        }

        private Order order(List<Line> before, boolean top) {
            List<Integer> after = new ArrayList<>();
            for (Line line : before) {
                if (random.nextDouble() < orders / 4) {
                    after.add(line.id());
                }
            }
            List<Integer> tags = top && random.nextDouble() < orders ? List.of(random.nextInt(3)) : List.of();
            List<Integer> afterTags = top && random.nextDouble() < orders ? List.of(random.nextInt(3)) : List.of();
            return new Order(
                    List.copyOf(after), tags, afterTags, random.nextDouble() < barriers, random.nextDouble() < mains);
        }

        private List<Line> subLines(List<Touch> allowed, int depth) {
            List<Line> lines = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                List<Touch> touches = new ArrayList<>();
                for (int j = random.nextInt(3); j >= 0 && !allowed.isEmpty(); j--) {
                    Touch to = within(allowed.get(random.nextInt(allowed.size())));
                    if (to.mode() != Mode.NONE) {
                        touches.add(to);
                    }
                }
                lines.add(line(lines, List.copyOf(touches), depth - 1, 0));
            }
            return List.copyOf(lines);
        }

        /** Something that {@code much} covers. */
        private Touch within(Touch much) {
            if (much.mode() == Mode.NONE) {
                return much;
            }
            Mode mode = coveredBy(much.mode());
            if (!much.isWhole()) {
                return part(mode, much.field(), fields.get(much.field()).mask(much.access()));
            }
            int field = random.nextInt(fields.size());
            int chosen = rules.isWithin(field, much.field()) ? field : much.field();
            return random.nextDouble() < areas ? part(mode, chosen, -1L) : new Touch(chosen, mode);
        }

        private Mode coveredBy(Mode much) {
            if (much == Mode.WRITE || much == Mode.OVERWRITE) {
                return MODES.get(random.nextInt(MODES.size() - 1));
            }
            return much;
        }

        /** A demotion of one of {@code touches} that leaves what {@code subs} need; null when none was found. */
        private @Nullable Touch smaller(List<Touch> touches, List<Line> subs) {
            if (touches.isEmpty()) {
                return null;
            }
            Touch from = touches.get(random.nextInt(touches.size()));
            long sameField =
                    touches.stream().filter(it -> it.field() == from.field()).count();
            if (from.mode() == Mode.NONE || sameField > 1) {
                return null;
            }
            boolean wide = from.mode() == Mode.WRITE || from.mode() == Mode.OVERWRITE;
            Mode mode = wide ? LEFT.get(random.nextInt(LEFT.size())) : random.nextBoolean() ? from.mode() : Mode.NONE;
            Touch to = mode != Mode.NONE && random.nextDouble() < areas
                    ? part(mode, from.field(), fields.get(from.field()).mask(from.access()))
                    : new Touch(from.field(), from.isWhole() || mode == Mode.NONE ? mode : like(from, mode));
            List<Touch> left = Rules.demoted(touches, to);
            boolean kept = subs.stream()
                    .flatMap(line -> line.touches().stream())
                    .allMatch(need -> left.stream().anyMatch(its -> rules.covers(its, need)));
            return kept ? to : null;
        }

        private static boolean overwrites(List<Touch> touches, Touch to) {
            return touches.stream().anyMatch(it -> it.field() == to.field() && it.mode() == Mode.OVERWRITE);
        }

        private static Access like(Touch from, Mode mode) {
            return new AreaAccess(mode, ((AreaAccess) from.access()).area());
        }

        /** An access to a part of the cells in {@code within}, which is a box. */
        private Touch part(Mode mode, int number, long within) {
            Field field = fields.get(number);
            int cells = field.cells();
            int first = random.nextInt(cells);
            while ((within >>> first & 1) == 0) {
                first = (first + 1) % cells;
            }
            int row = first / field.columns();
            int column = first % field.columns();
            int lastRow = row;
            while (lastRow + 1 < field.rows()
                    && (within >>> ((lastRow + 1) * field.columns() + column) & 1) != 0
                    && random.nextBoolean()) {
                lastRow++;
            }
            int lastColumn = column;
            while (lastColumn + 1 < field.columns()
                    && (within >>> (row * field.columns() + lastColumn + 1) & 1) != 0
                    && random.nextInt(3) > 0) {
                lastColumn++;
            }
            return new Touch(number, new AreaAccess(mode, field.area(row, lastRow, column, lastColumn)));
        }
    }
}
