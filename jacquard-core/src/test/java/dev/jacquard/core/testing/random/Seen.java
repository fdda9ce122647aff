package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The end of a job. Written by its submitter and by the threads that run it; read by the judge when all is over. */
final class Seen {
    final Job job;
    /** How many bodies began. */
    final AtomicInteger entered = new AtomicInteger();
    /** How many tries threw so far. */
    final AtomicInteger thrown = new AtomicInteger();

    volatile @Nullable Task<?> result;
    /** How many tasks ran that its compiled graph has beside those of the program. */
    final AtomicInteger beside = new AtomicInteger();

    /** The engine did not accept it. */
    volatile @Nullable RuntimeException refusal;
    /** Its sub-tasks from outside were submitted. */
    volatile boolean adjusted;
    /** How many of its demotions from outside took effect. Written by its submitter. */
    final AtomicInteger early = new AtomicInteger();
    /** How many of its demotions its body has begun. Written by that. */
    volatile int gaveUp;
    /** Its demotions behind sub-tasks that were not refused. Written by its body, then by what is done afterwards. */
    volatile List<Touch> behind = List.of();
    /** Its submitter refines it right now, so that it may be pending without a reason. Written by that. */
    volatile boolean held;
    /** Of one that the submitter runs itself: how that ended. */
    volatile @Nullable TaskState ended;

    /** The values that the user had of data when that had been freed. Written by its submitter. */
    volatile long @Nullable [] values;

    /** A body submitted it. */
    volatile boolean spawned;
    /** Set if it is submitted to neither of the two graphs. Read by threads that see its task. */
    volatile boolean elsewhere;

    /** Its submitter was interrupted while it waited. Written by that. */
    volatile boolean givenUp;

    /** What was at home when it had been fetched. Written by its submitter. */
    volatile long @Nullable [] fetched;
    /** Of one whose stage other code waits for: what becomes of the value and the error. Written by its submitter. */
    volatile @Nullable CompletionStage<Ended> stage;

    volatile @Nullable Throwable complaint;
    /** How many top-level jobs were submitted before. Written by its submitter, before that. */
    volatile int place;
    /** How many were submitted when its submitter had waited for it. Written by that. */
    volatile int lookedAt;
    /** The jobs that it comes after. Written by its submitter. */
    volatile List<Integer> after = List.of();

    /** How a stage ended. */
    record Ended(@Nullable Object value, @Nullable Throwable error) {}

    Seen(Job job) {
        this.job = job;
    }

    /** Waits for it, by the thread that submitted it; {@code count} tells how many were submitted then. */
    void look(IntSupplier count) {
        try {
            Objects.requireNonNull(result).join();
        } catch (RuntimeException e) {
            complaint = e;
        }
        lookedAt = count.getAsInt();
    }

    /** Its submitter does it, and notes how that ended. */
    void byHand(Runnable work) {
        try {
            work.run();
            ended = TaskState.DONE;
        } catch (WaitInterruptedException e) {
            givenUp = true;
            ended = TaskState.CANCELLED;
            complaint = e;
        } catch (IllegalArgumentException | IllegalStateException | UnsupportedOperationException e) {
            if (e instanceof CancellationException) {
                ended = TaskState.CANCELLED;
                complaint = e;
            } else {
                throw e;
            }
        } catch (RuntimeException e) { // a task failed, and says which
            ended = TaskState.CANCELLED;
            complaint = e;
        }
    }

    /** Throws, if the next try is to. The task holds {@code touches} until it is over. */
    void failIfPlanned(Marks marks, List<Touch> touches) {
        if (!nextFails()) {
            marks.done(job.touches()); // though parts of the task may go on, which does not give them up
        } else {
            marks.fails(touches);
            thrown.incrementAndGet();
            throw new PlannedFailure(this);
        }
    }

    /** Returns true if the next try is to throw; a kernel may have more tries than the user allows. */
    boolean nextFails() {
        Job.Fate fate = job.fate();
        return fate.failures() > fate.retries() || thrown.get() < fate.failures();
    }

    /** Begins the next try and throws, if the device that is told of it is not to compile its kernel. */
    void compile(KernelSource source, String device) {
        if (job.fate().uncompiled() && nextFails()) {
            entered.incrementAndGet();
            thrown.incrementAndGet();
            throw new KernelCompilationException(source, device, "planned failure of " + this);
        }
    }

    /** Notes a demotion behind sub-tasks that was not refused. */
    void gaveUp(Touch to) {
        behind = Stream.concat(behind.stream(), Stream.of(to)).toList();
    }

    TaskState state() {
        TaskState own = ended;
        Task<?> known = result;
        return own != null ? own : known != null ? known.state() : TaskState.PENDING;
    }

    /** True if it failed or was cancelled. */
    boolean endedBadly() {
        return state() == TaskState.FAILED || state() == TaskState.CANCELLED;
    }

    /** True if the task is over, so that nothing of it may run. */
    boolean isOver() {
        Task<?> known = result;
        return known != null && known.state().isOver();
    }

    /** True unless it is over, or ran before its submitter knew it. */
    boolean maybeRuns() {
        Task<?> known = result;
        return entered.get() == 0 || (known != null && !known.state().isOver());
    }

    String why() {
        Throwable own = complaint;
        Task<?> known = result;
        if (own == null && known != null && known.state().isOver()) {
            try {
                known.join();
                return "";
            } catch (RuntimeException e) {
                own = e;
            }
        }
        StringBuilder text = new StringBuilder();
        for (Throwable at = own; at != null; at = at.getCause()) {
            text.append(": ").append(at);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "t" + job.id() + " " + job.kind();
    }

    /** How those of {@code all} ended that were submitted, and why. */
    static String ends(Stream<Seen> all) {
        StringBuilder text = new StringBuilder("ends:");
        all.filter(its -> its.result != null || its.ended != null || its.refusal != null)
                .forEach(its -> text.append("\n  ")
                        .append(its)
                        .append(' ')
                        .append(its.state())
                        .append(its.refusal == null ? its.why() : " refused: " + its.refusal));
        return text.toString();
    }
}
