package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.View;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.data.DataProgram.Field;
import dev.jacquard.core.testing.data.DataStep.Part;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One run of a program in a session, by the thread that opened that. */
public final class DataTrial {
    private static final long GAP = 0x6A6A6A6A6A6A6A6AL;

    private final DataProgram program;
    private final Session session;
    private final List<Target> devices;
    private final TaskGraph[] graphs;
    private final long[][] homes;
    private final Data[] data;
    /** For each submitter what it saw at each of its steps. Each list is its submitter's, then the opener's. */
    private final List<List<Seen>> seen = new ArrayList<>();

    /** What became of a step: the task, or the elements that were there, or the reason why they could not be read. */
    private record Seen(
            DataStep step,
            @Nullable Result<?> result,
            long @Nullable [] cells,
            @Nullable RuntimeException failure) {}

    /**
     * Nothing is submitted yet.
     *
     * @param devices those of the session
     */
    public DataTrial(DataProgram program, Session session, List<Target> devices) {
        this.program = program;
        this.session = session;
        this.devices = List.copyOf(devices);
        this.graphs = new TaskGraph[] {
            session.graph("one", FailurePolicy.CONTINUE), session.graph("two", FailurePolicy.CONTINUE)
        };
        if (program.window() > 0) {
            graphs[0].window(program.window());
        }
        int count = program.fields().size();
        this.homes = new long[count][];
        this.data = new Data[count];
        for (int i = 0; i < count; i++) {
            make(i, 0);
        }
        program.submitters().forEach(any -> seen.add(new ArrayList<>()));
    }

    private void make(int number, int generation) {
        Field field = program.fields().get(number);
        long[] contents = PlainLoop.contents(field, generation);
        if (field.atHome()) {
            long[] home = new long[(int) (field.layout().bytes() / Long.BYTES)];
            Arrays.fill(home, GAP);
            homes[number] = home;
            Elements.put(contents, home(number));
            data[number] = session.data().home("f" + number, field.layout(), MemorySegment.ofArray(home));
            return;
        }
        homes[number] = new long[0];
        Data made = session.data().of("f" + number, field.packed());
        data[number] = made;
        session.graph().task("load").writes(made).run(context -> Elements.put(contents, context.memory(made)));
    }

    private Memory home(int number) {
        return new Memory(
                MemorySegment.ofArray(homes[number]),
                program.fields().get(number).layout());
    }

    /**
     * Submits everything, waits, and compares with a plain loop. The session's memory is given back.
     *
     * @throws AssertionError when something is not as it must be
     */
    public void run() {
        try {
            submitAll();
            awaitAll();
            PlainLoop loop = replay();
            for (int i = 0; i < data.length; i++) {
                compareAll(loop, i);
            }
            for (Data each : data) {
                session.data().free(each);
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e + "\n" + program, e);
        }
    }

    // ---- submitting

    private void submitAll() {
        int others = program.submitters().size() - 1;
        if (others == 0) {
            perform(0);
            return;
        }
        AtomicInteger left = new AtomicInteger(others);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int who = 1; who <= others; who++) {
                int its = who;
                running.add(threads.submit(() -> {
                    try {
                        perform(its);
                    } finally {
                        left.decrementAndGet();
                        session.signal();
                    }
                }));
            }
            perform(0);
            session.awaitUntil(() -> left.get() == 0);
            for (Future<?> each : running) {
                each.get();
            }
        } catch (Exception e) {
            throw new AssertionError("a submitter failed: " + e, e);
        }
    }

    private void perform(int who) {
        int[] generations = new int[data.length];
        for (DataStep step : program.submitters().get(who)) {
            seen.get(who)
                    .add(
                            switch (step) {
                                case DataStep.Task task -> new Seen(step, submit(task), null, null);
                                case DataStep.Look(Part part) -> look(step, part);
                                case DataStep.Fetch(int field) -> fetch(step, field, who);
                                case DataStep.Free(int field) -> {
                                    awaitAll();
                                    session.data().free(data[field]);
                                    make(field, ++generations[field]);
                                    yield new Seen(step, null, null, null);
                                }
                                case DataStep.Cancel _ -> {
                                    graphs[1].cancel();
                                    yield new Seen(step, null, null, null);
                                }
                            });
        }
    }

    private View view(Part part) {
        return data[part.field()].part(part.box());
    }

    private Result<?> submit(DataStep.Task task) {
        TaskBuilder builder = graphs[task.graph()].task("t" + task.id());
        task.reads().forEach(read -> builder.reads(view(read)));
        if (task.updates()) {
            builder.updates(view(task.writes()));
        } else {
            builder.writes(view(task.writes()));
        }
        if (task.where() == 1 || (task.where() > 1 && devices.isEmpty())) {
            builder.on(Target.HOST);
        } else if (task.where() > 1) {
            builder.on(devices.get((task.where() - 2) % devices.size()));
        }
        return builder.run(MixKernel.MIX, (long) task.id(), MixKernel.flags(task));
    }

    private Seen look(DataStep step, Part part) {
        View view = view(part);
        try {
            Result<long[]> result =
                    session.graph().task("look").reads(view).call(context -> Elements.copy(context.memory(view)));
            return new Seen(step, null, result.join(), null);
        } catch (TaskFailedException | CancellationException e) {
            return new Seen(step, null, null, e);
        }
    }

    /** The rows of others may change meanwhile. */
    private Seen fetch(DataStep step, int field, int who) {
        try {
            session.data().fetch(data[field]);
        } catch (TaskFailedException | CancellationException e) {
            return new Seen(step, null, null, e);
        }
        return new Seen(
                step,
                null,
                homes[field].length == 0
                        ? null
                        : Elements.copy(home(field).part(own(field, who).box())),
                null);
    }

    private Part own(int field, int who) {
        Box box = program.fields().get(field).box();
        return new Part(
                field, DataProgram.territory(box, who, program.submitters().size()));
    }

    private void awaitAll() {
        for (TaskGraph graph : graphs) {
            await(graph);
        }
        await(session.graph());
    }

    /** What was not planned is found when states are compared. */
    private static void await(TaskGraph graph) {
        try {
            graph.await();
        } catch (TaskFailedException | CancellationException e) {
            if (!graph.isOver()) {
                throw e;
            }
        }
    }

    // ---- comparing

    /** Submitters write nothing that others read, so one may come after the other. */
    private PlainLoop replay() {
        PlainLoop loop = new PlainLoop(program);
        for (int who = 0; who < seen.size(); who++) {
            for (Seen each : seen.get(who)) {
                switch (each.step()) {
                    case DataStep.Task task -> replay(loop, task, each.result());
                    case DataStep.Look(Part part) -> compare(loop, each, part, part);
                    case DataStep.Fetch(int field) -> {
                        Box all = program.fields().get(field).box();
                        compare(loop, each, new Part(field, all), own(field, who));
                    }
                    case DataStep.Free(int field) -> loop.freed(field);
                    case DataStep.Cancel _ -> {}
                }
            }
        }
        return loop;
    }

    private void replay(PlainLoop loop, DataStep.Task task, @Nullable Result<?> result) {
        if (result == null) {
            throw new AssertionError(task + " was not submitted");
        }
        TaskState state = result.state();
        boolean mayBeCancelled = task.graph() == 1 && program.cancels();
        TaskState expected =
                !loop.canRun(task) ? TaskState.CANCELLED : task.fails() ? TaskState.FAILED : TaskState.DONE;
        if (state != expected && !(state == TaskState.CANCELLED && mayBeCancelled)) {
            throw new AssertionError(task + " is " + state + ", not " + expected + why(result));
        }
        if (state == TaskState.DONE) {
            loop.ran(task);
        } else {
            loop.spoilt(task);
        }
    }

    private static String why(Result<?> result) {
        try {
            result.join();
            return "";
        } catch (RuntimeException e) {
            return ": " + e + ", " + e.getCause();
        }
    }

    /** Of the rows of other submitters it is not known, from here, whether they were poisoned at that time. */
    private void compare(PlainLoop loop, Seen each, Part read, Part looked) {
        boolean poisoned = loop.isPoisoned(looked);
        boolean othersToo = program.submitters().size() > 1 && (program.fails() || program.cancels());
        RuntimeException failure = each.failure();
        if (failure == null ? poisoned : !loop.isPoisoned(read) && !(othersToo && !read.equals(looked))) {
            throw new AssertionError(
                    each.step() + (failure == null ? " read what is poisoned" : " failed, and was not to: " + failure));
        }
        long[] cells = each.cells();
        if (cells != null) {
            requireEqual(loop.of(looked), cells, each.step());
        }
    }

    private static void requireEqual(long[] expected, long[] found, Object where) {
        int at = Arrays.mismatch(expected, found);
        if (at >= 0) {
            throw new AssertionError(where + ": element " + at + " of " + expected.length + " is " + found[at]
                    + ", not " + expected[at]);
        }
    }

    /** What is poisoned is written anew first, since whole fields are read. */
    private void compareAll(PlainLoop loop, int number) {
        for (Part part : loop.poisoned(number)) {
            View view = view(part);
            session.graph().task("cure").writes(view).run(context -> Elements.fill(context.memory(view), number));
            loop.filled(part, number);
        }
        Field field = program.fields().get(number);
        Part all = new Part(number, field.box());
        if (!field.atHome()) {
            compare(loop, look(new DataStep.Look(all), all), all, all);
            return;
        }
        session.data().fetch(data[number]);
        requireEqual(loop.of(all), Elements.copy(home(number)), "f" + number);
        Elements.fill(home(number), GAP);
        for (long cell : homes[number]) {
            if (cell != GAP) {
                throw new AssertionError("f" + number + ": something was written between its rows");
            }
        }
    }
}
