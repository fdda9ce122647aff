package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What submitters do with fields of 64-bit integers. Immutable.
 *
 * @param fields the data
 * @param submitters of which the first is the thread that opened the session
 * @param window how many tasks of graph 0 may be live; 0 for any number
 */
public record DataProgram(List<Field> fields, List<List<DataStep>> submitters, int window) {
    /**
     * Data.
     *
     * @param box all its indices
     * @param atHome whether it is an array of the user's
     * @param gap elements between its rows there; 0 where it has not two dimensions
     * @param seed of its contents
     */
    public record Field(Box box, boolean atHome, int gap, long seed) {
        /** How the elements lie in the user's array. */
        Layout layout() {
            return gap == 0
                    ? packed()
                    : Layout.matrix(ElementType.INT64, box.extent(0), box.extent(1), box.extent(1) + gap);
        }

        /** How they lie without gaps. */
        Layout packed() {
            return Layout.of(ElementType.INT64, box.extents());
        }
    }

    /** The rows of {@code box} that submitter {@code who} of several writes. */
    static Box territory(Box box, int who, int submitters) {
        long[] from = new long[box.dimensions()];
        long[] to = box.extents();
        long rows = to[0];
        from[0] = rows * who / submitters;
        to[0] = rows * (who + 1) / submitters;
        return Box.of(from, to);
    }

    Stream<DataStep> steps() {
        return submitters.stream().flatMap(List::stream);
    }

    /** Whether which tasks run depends on when it is that a graph is cancelled. */
    boolean cancels() {
        return steps().anyMatch(step -> step instanceof DataStep.Cancel);
    }

    /** Whether some task throws. */
    boolean fails() {
        return steps().anyMatch(step -> step instanceof DataStep.Task task && task.fails());
    }

    /** Simpler programs, the simplest first. */
    Stream<DataProgram> simpler() {
        List<DataProgram> all = new ArrayList<>();
        for (int who = 0; who < submitters.size(); who++) {
            List<DataStep> steps = submitters.get(who);
            for (int chunk = Math.max(1, steps.size()); chunk > 0; chunk /= 2) {
                for (int from = steps.size() - chunk; from >= 0; from -= chunk) {
                    List<DataStep> left = new ArrayList<>(steps);
                    left.subList(from, from + chunk).clear();
                    all.add(with(who, left));
                }
            }
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i) instanceof DataStep.Task task) {
                    for (DataStep.Task simpler : task.simpler()) {
                        List<DataStep> others = new ArrayList<>(steps);
                        others.set(i, simpler);
                        all.add(with(who, others));
                    }
                }
            }
        }
        if (window > 0) {
            all.add(new DataProgram(fields, submitters, 0));
        }
        return all.stream();
    }

    /** Fields and submitters stay, since rows are divided among these. */
    private DataProgram with(int who, List<DataStep> steps) {
        List<List<DataStep>> all = new ArrayList<>(submitters);
        all.set(who, List.copyOf(steps));
        return new DataProgram(fields, List.copyOf(all), window);
    }

    /** The smallest program found for which {@code fails} holds, with so many tries at most. */
    static DataProgram smallest(DataProgram failing, int tries, Predicate<DataProgram> fails) {
        DataProgram smallest = failing;
        int left = tries;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (DataProgram candidate : (Iterable<DataProgram>) smallest.simpler()::iterator) {
                if (left-- == 0) {
                    return smallest;
                }
                if (!candidate.equals(smallest) && fails.test(candidate)) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("window " + window + '\n');
        fields.forEach(field -> text.append(field).append('\n'));
        for (int who = 0; who < submitters.size(); who++) {
            text.append("submitter ").append(who).append(":\n");
            submitters.get(who).forEach(step -> text.append("  ").append(step).append('\n'));
        }
        return text.toString();
    }
}
