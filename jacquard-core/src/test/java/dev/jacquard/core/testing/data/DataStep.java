package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.Box;
import java.util.ArrayList;
import java.util.List;

/** What a submitter does next. */
public sealed interface DataStep {
    /** Some elements of a field of the program. */
    record Part(int field, Box box) {}

    /**
     * Submits a task.
     *
     * @param id unique in the program
     * @param reads none of which overlaps with {@code writes}
     * @param updates whether it reads what it writes
     * @param where 0 for anywhere, 1 for the host, else a device, counted from 2 and beyond their end from the start again
     * @param graph which of the session's graphs, 0 or 1
     * @param fails whether it throws when it has written some of it
     */
    record Task(int id, List<Part> reads, Part writes, boolean updates, int where, int graph, boolean fails)
            implements DataStep {
        /** The same with less to do. */
        List<Task> simpler() {
            List<Task> all = new ArrayList<>();
            for (int i = 0; i < reads.size(); i++) {
                List<Part> fewer = new ArrayList<>(reads);
                fewer.remove(i);
                all.add(new Task(id, List.copyOf(fewer), writes, updates, where, graph, fails));
            }
            if (where > 1) {
                all.add(new Task(id, reads, writes, updates, 1, graph, fails));
            }
            if (graph > 0) {
                all.add(new Task(id, reads, writes, updates, where, 0, fails));
            }
            if (fails) {
                all.add(new Task(id, reads, writes, updates, where, graph, false));
            }
            return all;
        }
    }

    /** Looks at elements with a task on the host, and waits for it. */
    record Look(Part part) implements DataStep {}

    /** Fetches a field, and looks at the own rows of its home where it has one. */
    record Fetch(int field) implements DataStep {}

    /** Waits for everything, frees a field, and goes on with another of the same shape and other contents. */
    record Free(int field) implements DataStep {}

    /** Cancels graph 1. */
    record Cancel() implements DataStep {}
}
