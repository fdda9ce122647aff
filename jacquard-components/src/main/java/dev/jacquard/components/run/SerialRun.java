package dev.jacquard.components.run;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.engine.work.ThreadFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program one execution at a time, on the calling thread: each block in its topological order. The tree of
 * blocks is written out as a list of steps, in which the end of a pass is a jump.
 *
 * <p>Source: seed of the component front, section 5.3.5, "serial mode".
 */
final class SerialRun implements Runner {
    private final Plan plan;
    private final OpenedParts parts;
    private final Passes passes;
    private final Stops stops;
    private final Clock clock;
    private final @Nullable Savepoints savepoints;

    /**
     * A step.
     *
     * @param kind its action
     * @param part the part that is executed, or the exit that is asked; null for others
     * @param loop the loop; -1 for none
     * @param target the step that follows if the loop goes on; the place in the program's block of one that is over
     */
    private record Step(Kind kind, @Nullable OpenedPart part, int loop, int target) {}

    private enum Kind {
        EXECUTE,
        ENTER,
        BEGIN_PASS,
        END_PASS,
        OVER
    }

    /** A block that is being written out: how far that is, and where its first step is. */
    private static final class Frame {
        final int block;
        final int start;
        int place;

        Frame(int block, int start) {
            this.block = block;
            this.start = start;
        }
    }

    SerialRun(Plan plan, OpenedParts parts, Passes passes, Stops stops, Clock clock, @Nullable Savepoints savepoints) {
        this.plan = plan;
        this.parts = parts;
        this.passes = passes;
        this.stops = stops;
        this.clock = clock;
        this.savepoints = savepoints;
    }

    @Override
    public void run() {
        Step[] steps = steps();
        stops.begin();
        try {
            run(steps);
        } finally {
            stops.end();
        }
    }

    private void run(Step[] steps) {
        long now = clock.nanoTime();
        int at = 0;
        while (at < steps.length) {
            Step step = steps[at++];
            switch (step.kind) {
                case EXECUTE -> {
                    OpenedPart part = Objects.requireNonNull(step.part);
                    part.begins(now);
                    if (!execute(part)) {
                        return;
                    }
                    now = clock.nanoTime();
                    part.ends(now);
                }
                case ENTER -> {
                    passes.enter(step.loop);
                    parts.enter(step.loop);
                }
                case BEGIN_PASS -> passes.begin(step.loop);
                case END_PASS -> {
                    if (Objects.requireNonNull(step.part).answer()) {
                        passes.leave(step.loop);
                    } else {
                        at = step.target;
                        if (savepoints != null && savepoints.isDue(step.loop)) {
                            if (!save(step.loop)) {
                                return;
                            }
                            now = clock.nanoTime(); // the time of the save is not the next component's
                        }
                    }
                }
                case OVER -> Objects.requireNonNull(savepoints).top().end(step.target);
            }
        }
    }

    /** An interrupt is for components, and for the caller that runs the program: it must not cut the file off. */
    private boolean save(int loop) {
        stops.end();
        ThreadFunction around = ThreadFunction.pauseInnermost();
        boolean interrupted = Thread.interrupted();
        try {
            Savepoints its = Objects.requireNonNull(savepoints);
            int place = its.placeOf(loop);
            its.top().between(place);
            its.save();
            its.complete(stops, loop);
            its.top().goesOn(place);
            return true;
        } catch (Throwable e) {
            if (!(e instanceof InterruptedException && stops.isStopping())) {
                stops.notSaved(e);
            }
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (around != null) {
                around.goOn();
            }
            stops.begin();
        }
    }

    private boolean execute(OpenedPart part) {
        if (stops.isStopping()) {
            return false;
        }
        try {
            stops.execute(part);
            if (Thread.currentThread().isInterrupted() && !stops.isStopping()) {
                throw new InterruptedException("its thread is interrupted after it, by the component or from outside");
            }
            return true;
        } catch (Throwable e) {
            stops.failed(part, e);
            part.ends(clock.nanoTime());
            return false;
        }
    }

    private Step[] steps() {
        List<Step> steps = new ArrayList<>();
        Deque<Frame> open = new ArrayDeque<>();
        int loops = plan.loops().size();
        open.push(new Frame(loops, 0));
        while (!open.isEmpty()) {
            Frame frame = open.peek();
            Block block = plan.blocks().get(frame.block);
            if (frame.place == block.size()) {
                open.pop();
                if (frame.block < loops) {
                    OpenedPart exit = parts.get(plan.loops().get(frame.block).exit());
                    steps.add(new Step(Kind.END_PASS, exit, frame.block, frame.start));
                }
                continue;
            }
            int place = frame.place++;
            TopState top = frame.block == loops && savepoints != null ? savepoints.top() : null;
            if (top != null && place > 0) {
                steps.add(new Step(Kind.OVER, null, -1, place - 1));
            }
            int item = block.item(place);
            int loop = plan.loop(item);
            if (top != null && top.isOver(place)) {
                continue;
            }
            if (loop < 0) {
                steps.add(new Step(Kind.EXECUTE, parts.get(item), -1, 0));
            } else {
                if (top == null || !top.isBetween(place)) {
                    steps.add(new Step(Kind.ENTER, null, loop, 0));
                }
                open.push(new Frame(loop, steps.size()));
                steps.add(new Step(Kind.BEGIN_PASS, null, loop, 0));
            }
        }
        return steps.toArray(Step[]::new);
    }
}
