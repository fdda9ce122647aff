package dev.jacquard.components.run;

import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.program.WholeFile;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The executions of a run in its trace: a lane for each part, with a span for each execution, next to the lanes of the
 * session's workers. A span has the number of the execution; the passes of the loops around it follow from that, since
 * a part is executed once in each pass.
 *
 * <p>Threads: lanes are recorded into by executions, one at a time; the rest by the thread that runs the program.
 */
final class RunTrace {
    /** Newest spans kept per worker, and per part of a small program: 2 MiB each. */
    static final int SPANS = 1 << 16;

    private static final int LEAST_SPANS = 1 << 10;
    /** Newest spans kept of all parts. */
    private static final int ALL_SPANS = 1 << 20;

    private final Trace trace;
    private final Plan plan;
    private final Passes passes;
    /** The parts by their lanes. */
    private final Map<TraceLane, Integer> lanes = new HashMap<>();

    RunTrace(Trace trace, Plan plan, Passes passes) {
        this.trace = trace;
        this.plan = plan;
        this.passes = passes;
    }

    /** Adds the lane of a part. */
    TraceLane lane(int part) {
        int spans = Math.clamp(ALL_SPANS / plan.parts().size(), LEAST_SPANS, SPANS);
        TraceLane lane = trace.lane("component " + plan.parts().get(part).name(), spans);
        lanes.put(lane, part);
        return lane;
    }

    /** Writes all that is kept: the whole file, or none of it. */
    void write(Path file, String program) throws IOException {
        long[][] ends = ends();
        WholeFile.write(
                file, out -> new ChromeTrace(trace).write(program, (lane, span) -> numbers(lane, span, ends), out));
    }

    /**
     * Returns the events of this rank, for a trace of all ranks.
     *
     * @param origin the time that the trace calls 0
     */
    String events(String program, int rank, long origin) {
        long[][] ends = ends();
        StringWriter out = new StringWriter();
        try {
            new ChromeTrace(trace, rank + 1, origin)
                    .writeEvents(program + ", rank " + rank, (lane, span) -> numbers(lane, span, ends), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** By loop and entry: the passes until that entry is over. */
    private long[][] ends() {
        long[][] ends = new long[plan.loops().size()][];
        for (int loop = 0; loop < ends.length; loop++) {
            ends[loop] = passes.of(loop).stream().mapToLong(Long::longValue).toArray();
            for (int entry = 1; entry < ends[loop].length; entry++) {
                ends[loop][entry] += ends[loop][entry - 1];
            }
        }
        return ends;
    }

    private Map<String, Long> numbers(TraceLane lane, TraceLane.Span span, long[][] ends) {
        Integer part = lanes.get(lane);
        return part == null ? Map.of() : around(part, span.argument(), ends);
    }

    /**
     * Returns the pass of each loop around an execution, outer ones first.
     *
     * @param execution of the part, from 1
     * @param ends by loop and entry: the passes until that entry is over
     */
    private Map<String, Long> around(int part, long execution, long[][] ends) {
        LinkedHashMap<String, Long> all = new LinkedHashMap<>();
        long number = execution;
        int loop = passes.innermost(part);
        while (loop >= 0) {
            int entry = firstFrom(number, ends[loop]);
            String exit = plan.parts().get(plan.loops().get(loop).exit()).name();
            all.putFirst("pass of " + exit, entry == 0 ? number : number - ends[loop][entry - 1]);
            number = entry + 1L; // the loop around enters this one once in each of its passes
            loop = plan.loops().get(loop).parent();
        }
        return all;
    }

    /** Returns the index of the first of ascending numbers that is not less. */
    private static int firstFrom(long least, long[] numbers) {
        int low = 0;
        int high = numbers.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (numbers[middle] < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
