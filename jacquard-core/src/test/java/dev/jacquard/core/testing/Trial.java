package dev.jacquard.core.testing;

import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of a program on a graph. Each submitter's lines are submitted by one thread. */
public final class Trial {
    private final Program program;
    private final TaskGraph graph;
    private final Thread main = Thread.currentThread();
    private final List<Resource> resources = new ArrayList<>();
    private final List<long[]> cells;
    private final Map<Integer, Seen> seen = new TreeMap<>();
    private final int[] next;
    private final AtomicLong clock = new AtomicLong();
    private volatile @Nullable Throwable invalid;
    private Runnable pause = () -> {};
    private Consumer<Runnable> later = Thread::startVirtualThread;

    /**
     * Nothing is submitted yet. The caller is the main thread.
     *
     * @param program what to run
     * @param graph where
     * @param owner of the graph's resources
     */
    public Trial(Program program, TaskGraph graph, Object owner) {
        this.program = program;
        this.graph = graph;
        this.cells = program.cells();
        this.next = new int[program.submitters().size()];
        for (Field field : program.fields()) {
            int number = resources.size();
            Resource parent = field.parent() < 0 ? null : resources.get(field.parent());
            resources.add(
                    parent == null && !field.unordered()
                            ? new Handle<>("f" + number, owner, cells.get(number))
                            : new Resource("f" + number, owner, parent, field.unordered()));
        }
        program.lines().forEach(line -> seen.put(line.id(), new Seen(line)));
    }

    /** What bodies do between two of their steps: lets others play. Before the first submission. */
    public void pause(Runnable between) {
        pause = between;
    }

    /** How the stages of asynchronous tasks get to complete: each at some time, once. Before the first submission. */
    public void later(Consumer<Runnable> completer) {
        later = completer;
    }

    /** Whether submitter {@code who} has submitted all its lines. */
    public boolean isSubmitted(int who) {
        return next[who] == program.submitters().get(who).size();
    }

    /** Submits the next line of submitter {@code who}. */
    public void submitNext(int who) {
        submit(graph, program.submitters().get(who).get(next[who]++));
    }

    /** Whether everything that has been submitted is over. */
    public boolean isOver() {
        return graph.isOver();
    }

    /** Submits everything, the first submitter's lines by the caller, waits, and verifies. */
    public void run() {
        if (next.length == 1) {
            submitAll(0);
        } else {
            try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> running = new ArrayList<>();
                for (int who = 1; who < next.length; who++) {
                    int its = who;
                    running.add(others.submit(() -> submitAll(its)));
                }
                submitAll(0);
                running.forEach(Trial::join);
            }
        }
        verify();
    }

    private static void join(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new AssertionError("a submitter failed: " + e.getCause(), e);
        }
    }

    private void submitAll(int who) {
        while (!isSubmitted(who)) {
            submitNext(who);
        }
    }

    private Seen of(Line line) {
        Seen known = seen.get(line.id());
        if (known == null) {
            throw new IllegalArgumentException("no line " + line.id());
        }
        return known;
    }

    private void submit(Tasks where, Line line) {
        Seen its = of(line);
        TaskBuilder task = where.task("t" + line.id());
        line.touches().forEach(touch -> task.accesses(resources.get(touch.field()), touch.access()));
        Line.Order order = line.order();
        for (int earlier : order.after()) {
            Seen known = seen.get(earlier);
            Result<?> result = known == null ? null : known.result;
            if (result != null) {
                task.after(result);
            }
        }
        order.tags().forEach(tag -> task.tag("tag " + tag));
        order.afterTags().forEach(tag -> task.afterTag("tag " + tag));
        if (order.synchronizing()) {
            task.flag(Flag.SYNCHRONIZING);
        }
        if (order.main()) {
            task.flag(Flag.MAIN_THREAD);
        }
        if (line.isAdjustable()) {
            task.adjustable();
        }
        its.submitBegin = clock.incrementAndGet();
        Result<?> result = line.isAsynchronous()
                ? task.start(context -> begin(its, context))
                : line.id() % 3 == 0 ? task.call(context -> runCalled(its, context)) : task.run(c -> body(its, c));
        its.result = result;
        its.submitEnd = clock.incrementAndGet();
        if (line.id() % 5 == 0) {
            its.stage = result.stage().toCompletableFuture();
        }
        if (line.isAdjustable()) {
            adjust(its, result);
        }
    }

    private int runCalled(Seen its, TaskContext context) throws PlannedFailure {
        body(its, context);
        return its.line.id();
    }

    private CompletableFuture<Integer> begin(Seen its, TaskContext context) {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        @Nullable PlannedFailure failure = null;
        try {
            body(its, context);
        } catch (PlannedFailure e) {
            failure = e;
        }
        @Nullable PlannedFailure outcome = failure;
        later.accept(() -> {
            its.lateEnd = clock.incrementAndGet();
            if (outcome == null) {
                stage.complete(its.line.id());
            } else {
                stage.completeExceptionally(outcome);
            }
        });
        return stage;
    }

    private void adjust(Seen its, Result<?> result) {
        Line.Pending pending = its.line.pending();
        try {
            synchronized (its) { // the body does not begin meanwhile
                for (Touch to : pending.demotions()) {
                    if (its.ran() || !result.tryDemote(resources.get(to.field()), to.access())) {
                        break;
                    }
                    its.early++;
                }
            }
            result.tryRefine(sub -> {
                its.held = true;
                pause.run();
                pending.inside().forEach(line -> submit(sub, line));
                its.held = false;
            });
        } catch (IllegalStateException | IllegalArgumentException e) {
            invalid(e);
        }
    }

    private void body(Seen its, TaskContext context) throws PlannedFailure {
        its.runs.incrementAndGet();
        synchronized (its) {
            its.begin = clock.incrementAndGet();
        }
        its.thread = Thread.currentThread();
        Line line = its.line;
        List<Touch> left = Oracle.atStart(its);
        if (line.works()) {
            for (Touch touch : line.touches()) {
                if (resources.get(touch.field()) instanceof Handle<?> handle) {
                    context.get(handle);
                }
            }
            program.perform(line.id(), left, cells);
        }
        for (int i = 0; i < line.body().spins(); i++) {
            Thread.onSpinWait();
        }
        pause.run();
        try {
            steps(its, context);
        } catch (IllegalArgumentException | IllegalStateException e) {
            invalid(e);
        }
        its.bodyEnd = clock.incrementAndGet();
        if (line.body().fails()) {
            throw new PlannedFailure(line);
        }
    }

    private void steps(Seen its, TaskContext context) {
        int demotions = 0;
        for (Step step : its.line.body().steps()) {
            switch (step) {
                case Step.Demote demote -> {
                    its.gaveUp[demotions++] = clock.incrementAndGet();
                    Touch to = demote.to();
                    context.demote(resources.get(to.field()), to.access());
                }
                case Step.Refine refine -> context.refine(sub -> refine.lines().forEach(line -> submit(sub, line)));
                case Step.Submit submit -> submit(graph, submit.line());
                case Step.Afterwards _ -> context.afterwards(c -> rest(its));
            }
            pause.run();
        }
    }

    private void rest(Seen its) {
        its.rests.incrementAndGet();
        its.restBegin = clock.incrementAndGet();
        program.perform(~its.line.id(), Oracle.atEnd(its), cells);
        pause.run();
        its.restEnd = clock.incrementAndGet();
    }

    private void invalid(Throwable why) {
        invalid = why;
    }

    /** Whether what is ready now is what may be: exact where nothing happens meanwhile, so with one thread only. */
    public void verifyReadiness() {
        new Oracle(program, seen).verifyReadiness();
    }

    /**
     * Waits until all is over and compares with what may be.
     *
     * @throws AssertionError when something happened that must not
     * @throws IllegalArgumentException when the program asks for what cannot be, which a generator should not
     */
    public void verify() {
        try {
            graph.await();
        } catch (TaskFailedException e) {
            if (!(e.getCause() instanceof PlannedFailure)) {
                throw new AssertionError("an unplanned failure: " + e + "\n" + program, e);
            }
        }
        Throwable why = invalid;
        if (why != null) {
            throw new IllegalArgumentException("the program is not valid: " + why.getMessage() + "\n" + program, why);
        }
        try {
            Oracle oracle = new Oracle(program, seen);
            oracle.verify(graph.report(), main);
            oracle.verifyCells(cells);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + program + history(), e);
        }
    }

    private String history() {
        return seen.values().stream().map(its -> "// " + its + "\n").collect(Collectors.joining());
    }

    /** What a failing line throws. Without a stack trace: thousands are thrown. */
    private static final class PlannedFailure extends Exception {
        private static final long serialVersionUID = 1;

        PlannedFailure(Line line) {
            super("planned failure of t" + line.id(), null, false, false);
        }
    }
}
