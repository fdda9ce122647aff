package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Loop;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The passes of a program's loops.
 *
 * <p>Threads: a loop's counts are written by the thread that begins its pass, when all of the pass before is over, and
 * before anything of the pass begins; so its components see them. Others may see old numbers while the program runs.
 */
final class Passes {
    private final Plan plan;
    /** By loop: the pass that runs, from 1; 0 before the first. */
    private final long[] current;
    /** By loop: the passes of each time that it was entered, the last one included. */
    private final long[][] entries;
    /** By loop: how often it was entered. */
    private final int[] entered;
    /** Shows the passes to a waiting user. */
    private final PassProgress progress;

    /** Passes that no user sees. */
    Passes(Plan plan) {
        this(plan, PassProgress.NONE);
    }

    Passes(Plan plan, PassProgress progress) {
        this.plan = plan;
        this.progress = progress;
        int loops = plan.loops().size();
        current = new long[loops];
        entries = new long[loops][1];
        entered = new int[loops];
    }

    void enter(int loop) {
        int number = entered[loop]++;
        if (number == entries[loop].length) {
            entries[loop] = Arrays.copyOf(entries[loop], 2 * number);
        }
        current[loop] = 0;
        progress.enter(loop);
    }

    void begin(int loop) {
        entries[loop][entered[loop] - 1] = ++current[loop];
        progress.begin(loop, current[loop]);
    }

    /** The loop is left. */
    void leave(int loop) {
        progress.leave(loop);
    }

    /** Returns all of a loop's counts, for {@link #state(int, byte[])}. */
    byte[] state(int loop) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (1 + entered[loop]));
        bytes.putLong(current[loop]);
        for (int i = 0; i < entered[loop]; i++) {
            bytes.putLong(entries[loop][i]);
        }
        return bytes.array();
    }

    /** Takes a loop's counts. */
    void state(int loop, byte[] state) {
        LongBuffer counts = ByteBuffer.wrap(state).asLongBuffer();
        current[loop] = counts.get();
        entered[loop] = counts.remaining();
        entries[loop] = new long[Math.max(1, entered[loop])];
        counts.get(entries[loop], 0, entered[loop]);
    }

    /** Returns the pass of a loop that runs, or ran last. */
    long current(int loop) {
        return current[loop];
    }

    /** Returns the passes of each time that the loop was entered. */
    List<Long> of(int loop) {
        return Arrays.stream(entries[loop]).limit(entered[loop]).boxed().toList();
    }

    /** Returns the pass of each loop around a part, outer ones first: " in pass 2 of the loop 'a'..'b'". */
    String around(int part) {
        List<String> passes = new ArrayList<>();
        int loop = innermost(part);
        while (loop >= 0) {
            Loop its = plan.loops().get(loop);
            passes.add("pass " + current[loop] + " of " + plan.described(loop));
            loop = its.parent();
        }
        Collections.reverse(passes);
        return passes.isEmpty() ? "" : " in " + String.join(", ", passes);
    }

    /** Returns the loop around a part that has no other one around the part inside; -1 if there is none. */
    int innermost(int part) {
        int innermost = -1;
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            if (plan.loops().get(loop).parts().contains(part)) {
                innermost = loop; // loops inside have greater numbers
            }
        }
        return innermost;
    }
}
