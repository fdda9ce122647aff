package dev.jacquard.core.testing.random;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.macro.MacroTask;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Loops of bodies, which a limit interrupts and a cancel ends. */
final class Looping {
    private Looping() {}

    /** The limit interrupts each part that runs, and then none begins. */
    static void outlastLimit(Bodies bodies, Seen its, BodyContext context, Setting setting) {
        AtomicInteger parts = new AtomicInteger();
        AtomicBoolean missed = new AtomicBoolean();
        try {
            context.parallelFor(0, 1_000, 1, (from, to) -> {
                bodies.enterPart();
                parts.incrementAndGet();
                if (!missed.get() && !Pace.awaitInterrupt()) {
                    missed.set(true);
                }
                bodies.leave(its);
            });
            missed.set(true);
        } catch (CancellationException e) {
            missed.compareAndSet(false, parts.get() > setting.workers() + 1);
        } catch (Exception e) {
            bodies.violation(Violation.Kind.ERROR, its + " could not loop: " + e);
        }
        if (missed.get() && !setting.hasBroken()) { // else timers may have ended
            bodies.violation(
                    Violation.Kind.ERROR, its + " was not interrupted in each of " + parts + " parts of its loop");
        }
    }

    /**
     * A loop, or a macro task in the body, does each number once, or leaves some out once its graph is cancelled, and
     * is over when it returns.
     */
    static void loop(Bodies bodies, Seen its, BodyContext context) {
        int most = its.job.id() % 700 % 97;
        AtomicIntegerArray times = new AtomicIntegerArray(most + 1);
        int least = 1;
        try {
            if (its.job.id() % 3 == 0) {
                MacroTask.of(most)
                        .body(item -> {
                            bodies.enterPart();
                            times.getAndIncrement(item.index());
                            bodies.leave(its);
                        })
                        .inBody()
                        .run(context);
            } else {
                context.parallelFor(0, most, 1 + its.job.id() % 5, (from, to) -> {
                    bodies.enterPart();
                    for (long i = from; i < to; i++) {
                        times.getAndIncrement((int) i);
                    }
                    bodies.leave(its);
                });
            }
        } catch (CancellationException e) {
            least = 0;
            if (!context.cancelled()) {
                bodies.violation(Violation.Kind.ERROR, its + " ended its loop early: " + e);
            }
        } catch (Exception e) {
            bodies.violation(Violation.Kind.ERROR, its + " could not loop: " + e);
        }
        for (int i = 0; i < most; i++) {
            if (times.get(i) < least || times.get(i) > 1) {
                bodies.violation(Violation.Kind.VALUE, its + " did number " + i + " " + times.get(i) + " times");
            }
        }
    }
}
