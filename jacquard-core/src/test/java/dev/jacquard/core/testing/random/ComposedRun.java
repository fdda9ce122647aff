package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Components.Control;
import dev.jacquard.core.testing.random.Composition.Ending;
import dev.jacquard.core.testing.random.Composition.Execution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program's components, or of its stream, and what is wrong with it: executions that begin too early,
 * twice, with old values or when the run is over, and ends that it must not have. Threads: the opener, and those of the
 * components or the stream.
 */
final class ComposedRun implements Components.Work, Streams.Work {
    private static final String PLANNED = "as the program says";

    private final Composition composition;
    private final Fronts fronts;
    private final Session session;
    private final Pace pace;
    private final Bodies bodies;
    private final Path folder;
    private final TaskGraph[] graphs;
    private final Map<Integer, Job> jobs = new HashMap<>();
    private final Told told;
    private final Set<Integer> own;
    private final Function<Job, Seen> seen;
    private final BiConsumer<@Nullable Tasks, Job> submission;
    /** By part, or by item: how many executions have begun. */
    private final AtomicIntegerArray begun;
    /** By execution: 1 when it ended well. */
    private final AtomicIntegerArray done;

    private final AtomicInteger running = new AtomicInteger();
    /** Written and read by the opener. */
    private boolean started;

    private volatile boolean over;

    /** {@code submission} submits one job by the calling thread; to its own graph where none is given. */
    ComposedRun(
            Program program,
            Composition composition,
            Fronts fronts,
            Session session,
            TaskGraph[] graphs,
            Pace pace,
            Bodies bodies,
            Path folder,
            Told told,
            Function<Job, Seen> seen,
            BiConsumer<@Nullable Tasks, Job> submission) {
        this.told = told;
        this.composition = composition;
        this.fronts = fronts;
        this.session = session;
        this.graphs = graphs;
        this.pace = pace;
        this.bodies = bodies;
        this.folder = folder;
        this.seen = seen;
        this.submission = submission;
        program.jobs().forEach(job -> jobs.put(job.id(), job));
        this.own = composition.jobs();
        this.begun = new AtomicIntegerArray(composition.executions().size());
        this.done = new AtomicIntegerArray(composition.executions().size());
    }

    /** True if a component submits the job. */
    boolean holds(Job job) {
        return own.contains(job.id());
    }

    /** Runs all, the first time. By the opener. */
    void run() {
        if (started) {
            return;
        }
        started = true;
        @Nullable Exception end = null;
        try {
            end = switch (composition.form()) {
                case Components.Wiring wiring ->
                    Objects.requireNonNull(fronts.components()).run(wiring, session, folder, this);
                case Streams.Shape shape ->
                    Objects.requireNonNull(fronts.streams()).run(shape, session, this);
            };
        } catch (IOException | RuntimeException e) {
            wrong("what submits jobs could not run: " + stack(e));
        }
        over = true;
        IntStream.range(0, composition.executions().size()).forEach(this::over);
        if (running.get() > 0) {
            wrong(running + " executions go on when their program is over");
        }
        if (Thread.interrupted()) {
            wrong("what submits jobs leaves an interrupt behind");
        }
        check(end);
    }

    private void wrong(String text) {
        bodies.violation(Violation.Kind.COMPONENTS, text);
    }

    private static String stack(Throwable e) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = e; at != null; at = at.getCause()) {
            text.append(at).append('\n');
            for (StackTraceElement element : at.getStackTrace()) {
                text.append("    ").append(element).append('\n');
            }
        }
        return text.toString();
    }

    // ---- how it ends

    private void check(@Nullable Exception end) {
        Ending ending = composition.ending();
        String message = end == null ? "" : String.valueOf(end.getMessage());
        String part = "component 'p"
                + composition.executions().get(ending.execution()).part() + "' ";
        boolean mayBe = switch (ending.how()) {
            case NONE -> end == null;
            case FAILS -> end != null && stack(end).contains(PLANNED) && (isStream() || message.startsWith(part));
            case CANCELS -> end instanceof CancellationException;
            case CANCELS_LATER -> end == null || end instanceof CancellationException;
            case LASTS -> message.startsWith(part) && message.contains("took longer than its limit");
        };
        if (!mayBe) {
            wrong("what is to end by " + ending + " ended with " + (end == null ? "nothing" : stack(end)));
        }
        for (int i = 0; end == null && i < done.length(); i++) {
            if (done.get(i) == 0) {
                wrong("all is over without execution " + i);
                return;
            }
        }
    }

    // ---- executions

    private boolean isStream() {
        return composition.form() instanceof Streams.Shape;
    }

    @Override
    public boolean execute(int part, long[] values, Control control) throws Exception {
        return execute(part, place(part, begun.incrementAndGet(part)), values, null, control);
    }

    @Override
    public void execute(int item, @Nullable Tasks own, Control control) throws Exception {
        execute(item, begun.incrementAndGet(item) == 1 ? item : -1, new long[0], own, control);
    }

    @Override
    public void over(int item) {
        for (int id : composition.executions().get(item).jobs()) {
            Seen its = seen.apply(Objects.requireNonNull(jobs.get(id)));
            if (its.elsewhere && !its.isOver()) {
                wrong("item " + item + " is done, and its " + its + " is not over");
            }
        }
    }

    private boolean execute(int part, int place, long[] values, @Nullable Tasks own, Control control) throws Exception {
        running.incrementAndGet();
        try {
            if (over || place < 0) {
                wrong("p" + part + (over ? " begins when its program is over" : " begins too often"));
                return true;
            }
            Execution its = composition.executions().get(place);
            requireOrder(place, its, values);
            work(place, its, own, control);
            done.set(place, 1);
            return its.leaves();
        } finally {
            running.decrementAndGet();
        }
    }

    /** Returns the place of an execution of a part; -1 when there is none. */
    private int place(int part, int number) {
        int count = 0;
        for (int i = 0; i < composition.executions().size(); i++) {
            if (composition.executions().get(i).part() == part && ++count == number) {
                return i;
            }
        }
        return -1;
    }

    private void requireOrder(int place, Execution its, long[] values) {
        for (int earlier : its.behind()) {
            if (done.get(earlier) == 0) {
                wrong("execution " + place + " begins before " + earlier + " is over");
            }
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i] != its.values().get(i)) {
                wrong("execution " + place + " reads " + values[i] + " from its sink " + i + ", not "
                        + its.values().get(i));
            }
        }
    }

    private void work(int place, Execution its, @Nullable Tasks own, Control control) throws Exception {
        Ending ending = composition.ending();
        int stop = ending.execution() == place ? ending.submitted() : -1;
        List<Seen> submitted = new ArrayList<>();
        for (int i = 0; i <= its.jobs().size(); i++) {
            if (i == stop) {
                end(ending, its, control);
            }
            Job job = i < its.jobs().size() ? jobs.get(its.jobs().get(i)) : null;
            if (job != null) {
                submission.accept(own, job);
                submitted.add(seen.apply(job));
                obey(its, i < stop && ending.how() == Ending.How.LASTS);
            }
        }
        rest(its, submitted);
    }

    /** Ends the execution that was interrupted, or forgets that, unless it is still to wait for an interrupt. */
    private void obey(Execution its, boolean must) throws InterruptedException {
        if (its.waits() && Thread.interrupted() && (must || its.obeys())) {
            throw new InterruptedException("heard by p" + its.part());
        }
    }

    private void end(Ending ending, Execution its, Control control) throws InterruptedException {
        switch (ending.how()) {
            case NONE -> {}
            case FAILS -> throw new IllegalStateException(PLANNED);
            case CANCELS -> control.cancel();
            case CANCELS_LATER ->
                pace.later(() -> {
                    for (int i = ending.pause(); i > 0; i--) {
                        Thread.onSpinWait();
                    }
                    control.cancel();
                });
            case LASTS -> {
                if (its.waits()) {
                    new CountDownLatch(1).await();
                }
                while (!control.isCancelled()) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private void rest(Execution its, List<Seen> submitted) {
        switch (its.rest()) {
            case NOTHING -> {}
            case JOINS -> submitted.stream().filter(one -> !one.job.isEarly()).forEach(this::join);
            case AWAITS -> await(graphs[0]);
            case AWAITS_SECOND -> await(graphs[1]);
        }
    }

    private void join(Seen one) {
        try {
            if (one.result != null) {
                Objects.requireNonNull(one.result).join();
            }
        } catch (WaitInterruptedException e) {
            throw e;
        } catch (RuntimeException e) {
            told.byOther(e); // its own end, which the judge knows
        }
    }

    private void await(TaskGraph graph) {
        try {
            graph.await();
        } catch (WaitInterruptedException e) {
            throw e;
        } catch (RuntimeException e) {
            told.byAwait(e); // the end of some task, which the judge knows
        }
    }
}
