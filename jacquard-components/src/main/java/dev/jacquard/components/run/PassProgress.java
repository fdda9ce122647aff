package dev.jacquard.components.run;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.program.Progress;
import java.util.Arrays;
import java.util.List;

/**
 * Shows the passes of the loops of a program to a waiting user, a few times in a second: those of outermost loops from
 * the first one on, and those of loops inside when they take long.
 *
 * <p>Threads: the state of a loop is confined to the thread that begins its pass, which the run orders.
 */
final class PassProgress {
    /** Shows nothing. */
    static final PassProgress NONE = new PassProgress();

    /** The least time between two passes of a loop that are shown. */
    private static final long INTERVAL = 200_000_000L;

    private final Clock clock;
    /** By loop; empty if nothing is shown. */
    private final Progress[] loops;
    /** By loop: its last pass; 0 if that is not known. */
    private final int[] most;
    /** By loop: true if it lies within no other one. */
    private final boolean[] isOutermost;
    /** By loop: when a pass was shown; of a loop inside of another also when it was entered. */
    private final long[] since;
    /** By loop: a pass of it is on display. */
    private final boolean[] isShown;

    private PassProgress() {
        this(Clock.system(), 0);
    }

    private PassProgress(Clock clock, int loops) {
        this.clock = clock;
        this.loops = new Progress[loops];
        this.most = new int[loops];
        this.isOutermost = new boolean[loops];
        this.since = new long[loops];
        this.isShown = new boolean[loops];
    }

    /** Returns the display of a program's passes. */
    static PassProgress of(Plan plan, List<CheckedPart> parts, Progress progress, Clock clock) {
        PassProgress its = new PassProgress(clock, plan.loops().size());
        for (int loop = 0; loop < its.loops.length; loop++) {
            CheckedPart exit = parts.get(plan.loops().get(loop).exit());
            its.loops[loop] = progress.part("loop to " + exit.part().name());
            its.most[loop] = exit.mostPasses();
            its.isOutermost[loop] = plan.loops().get(loop).parent() < 0;
            its.since[loop] = clock.nanoTime() - INTERVAL;
        }
        boolean isShown = Arrays.stream(its.loops).anyMatch(loop -> loop != Progress.NONE);
        return isShown ? its : NONE;
    }

    void enter(int loop) {
        if (loops.length > 0 && !isOutermost[loop]) {
            since[loop] = clock.nanoTime();
        }
    }

    /** A pass begins, from 1 on. */
    void begin(int loop, long pass) {
        if (loops.length == 0) {
            return;
        }
        long now = clock.nanoTime();
        if (now - since[loop] < INTERVAL) {
            return;
        }
        since[loop] = now;
        isShown[loop] = true;
        loops[loop].start("pass " + pass + (most[loop] == 0 ? "" : " of " + most[loop]), Progress.UNKNOWN);
    }

    void leave(int loop) {
        if (loops.length > 0 && isShown[loop]) {
            isShown[loop] = false;
            loops[loop].end();
        }
    }
}
