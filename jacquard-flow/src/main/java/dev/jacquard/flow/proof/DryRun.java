package dev.jacquard.flow.proof;

import java.util.List;

/**
 * The findings of a dry run: a graph's rules and grants, with maps in place of bodies, in virtual time.
 *
 * <p>Threads: immutable.
 *
 * @param graph the graph's name
 * @param sent the number of items that were sent
 * @param results the number of items that came out
 * @param memories one line per memory edge
 * @param time the time that the run takes
 * @param lost the buffers that were never released, by name and taker
 */
public record DryRun(String graph, long sent, long results, List<Memory> memories, Time time, List<String> lost) {
    public DryRun {
        memories = List.copyOf(memories);
        lost = List.copyOf(lost);
    }

    /**
     * A memory edge, or a bounded edge between tasks.
     *
     * @param name the edge's name
     * @param size the number of buffers
     * @param peak the largest number of live buffers where one item is worked through after the other
     * @param smallest the smallest size with which one item after the other is worked through, and therefore any run in
     *     this order
     * @param peakBytes the bytes of {@code peak} buffers; -1 where only the allocator knows
     * @param isBound whether the edge is a bounded one: its buffers are the items that wait or may still be emitted
     */
    public record Memory(String name, int size, int peak, int smallest, long peakBytes, boolean isBound) {
        @Override
        public String toString() {
            if (isBound) {
                return "edge \"" + name + "\": at most " + size + " items wait, smallest bound that works: " + smallest;
            }
            return "memory edge \"" + name + "\": " + size + " buffers, smallest size that works: " + smallest
                    + ", live at most " + peak + (peakBytes < 0 ? "" : ", " + peakBytes + " bytes")
                    + " where one item comes after the other";
        }
    }

    /**
     * The time that the run takes.
     *
     * @param workers the number of workers
     * @param nanos the time with that many workers, and with the sizes and copies of the graph; -1 if that run stands
     *     still
     * @param criticalNanos the time with any number of workers, copies and buffers
     * @param criticalPath the tasks that take that time, one after the other
     */
    public record Time(int workers, long nanos, long criticalNanos, List<String> criticalPath) {
        public Time {
            criticalPath = List.copyOf(criticalPath);
        }
    }

    /** Returns true if the graph's pools are large enough. */
    public boolean works() {
        return memories.stream().allMatch(memory -> memory.size >= memory.smallest) && time.nanos >= 0;
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("flow \"" + graph + "\", dry: " + sent + " items sent, " + results + " come out");
        memories.forEach(memory -> text.append("\n  ").append(memory));
        text.append("\n  ")
                .append(time.nanos < 0 ? "stands still" : time.nanos + " ns")
                .append(" with ")
                .append(time.workers)
                .append(time.workers == 1 ? " worker, " : " workers, ")
                .append(time.criticalNanos)
                .append(" ns on the critical path: ")
                .append(String.join(" -> ", time.criticalPath));
        lost.forEach(buffer -> text.append("\n  never released: ").append(buffer));
        return text.toString();
    }
}
