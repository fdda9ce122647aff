package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.testing.data.DataProgram.Field;
import dev.jacquard.core.testing.data.DataStep.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What fields hold after a sequence of tasks, and which of their elements nobody may read: what a task that did not end well was to write, until
 * one task overwrites all of that.
 */
final class PlainLoop {
    private final List<Field> fields;
    private final List<long[]> cells = new ArrayList<>();
    private final List<List<Box>> poison = new ArrayList<>();

    private final int[] generations;

    PlainLoop(DataProgram program) {
        fields = program.fields();
        generations = new int[fields.size()];
        for (Field field : fields) {
            cells.add(contents(field, 0));
            poison.add(new ArrayList<>());
        }
    }

    /** What a field holds at first, and when it was freed so often. */
    static long[] contents(Field field, int generation) {
        return new SplittableRandom(field.seed() + generation)
                .longs(field.box().elements())
                .toArray();
    }

    private Memory memory(Part part) {
        return Elements.of(cells.get(part.field()), fields.get(part.field()).packed())
                .part(part.box());
    }

    boolean isPoisoned(Part part) {
        return poison.get(part.field()).stream().anyMatch(part.box()::intersects);
    }

    /** Whether what a task reads is there. */
    boolean canRun(DataStep.Task task) {
        return task.reads().stream().noneMatch(this::isPoisoned) && !(task.updates() && isPoisoned(task.writes()));
    }

    void ran(DataStep.Task task) {
        long fold = 0;
        for (Part read : task.reads()) {
            fold = Elements.fold(memory(read), fold);
        }
        Elements.mix(memory(task.writes()), task.updates(), fold, task.id(), Long.MAX_VALUE);
        clear(task.writes());
    }

    void spoilt(DataStep.Task task) {
        clear(task.writes());
        poison.get(task.writes().field()).add(task.writes().box());
    }

    private void clear(Part overwritten) {
        poison.get(overwritten.field()).removeIf(overwritten.box()::contains);
    }

    void freed(int field) {
        cells.set(field, contents(fields.get(field), ++generations[field]));
        poison.get(field).clear();
    }

    /** Somebody overwrote these elements. */
    void filled(Part part, long value) {
        Elements.fill(memory(part), value);
        clear(part);
    }

    long[] of(Part part) {
        return Elements.copy(memory(part));
    }

    /** What nobody may read. */
    List<Part> poisoned(int field) {
        return poison.get(field).stream().map(box -> new Part(field, box)).toList();
    }
}
