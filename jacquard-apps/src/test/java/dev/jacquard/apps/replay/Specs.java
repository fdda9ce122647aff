package dev.jacquard.apps.replay;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Short ways to make parts of programs. */
final class Specs {
    private Specs() {}

    /** A task that only has a name, a time and accesses. */
    static TaskSpec task(String name, double micros, AccessSpec... accesses) {
        return new TaskSpec(name, micros, List.of(accesses), List.of(), Set.of(), 0, false, List.of(), List.of());
    }

    /** The box with lowest and highest coordinate of dimension 0, then of dimension 1, and so on. */
    static Box box(long... bounds) {
        return new Box(IntStream.range(0, bounds.length / 2)
                .mapToObj(i -> new Interval(bounds[2 * i], bounds[2 * i + 1]))
                .toList());
    }
}
