package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFunction;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelParameter;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Wrong calls between the right ones. Each is refused, and leaves nothing behind: the rest of the program goes on as if
 * it had not been. Threads: those that submit, and those that run bodies.
 */
final class Mistakes {
    /** How often one is made where one may be. */
    private static final double SHARE = 0.3;

    private static final long HUGE = 1L << 40;
    /** The resource of a session that is closed. */
    private static final Resource FOREIGN = foreign();

    private final Program program;
    private final Session session;
    private final World world;
    private final Bodies bodies;

    /** More than a device holds; null before it was asked for. Guarded by this. */
    private @Nullable Data huge;

    /** A wrong call. */
    private record Mistake(String what, Runnable call) {}

    Mistakes(Program program, Session session, World world, Bodies bodies) {
        this.program = program;
        this.session = session;
        this.world = world;
        this.bodies = bodies;
    }

    private synchronized Data huge() {
        if (huge == null) {
            huge = session.data().vector("huge", DataType.FLOAT64, HUGE);
        }
        return huge;
    }

    private static Resource foreign() {
        try (Session other = Session.builder().workers(1).open()) {
            return other.wrap("another session's", new long[1]);
        }
    }

    /** Makes one before {@code its} is submitted, often with the accesses of that. By its submitter. */
    void before(Tasks where, Seen its) {
        Dice dice = dice(its, 0);
        if (!dice.chance(SHARE)) {
            return;
        }
        List<Mistake> all = new ArrayList<>();
        submissions(all, where, its);
        declarations(all, where, its);
        if (where instanceof TaskGraph graph) {
            all.add(new Mistake("window of 0", () -> graph.window(0)));
            all.add(new Mistake("deadline of 0", () -> graph.deadline(Duration.ZERO)));
            if (its.job.submitter() == 0 && !its.spawned) {
                recordings(all, its);
            }
        }
        make(all.get(dice.below(all.size())), its);
    }

    /** Makes one with the builder that {@code its} was submitted with. By its submitter. */
    void again(TaskBuilder builder, Seen its) {
        if (dice(its, 1).chance(SHARE)) {
            make(new Mistake("second submission", () -> builder.run(never(its))), its);
        }
    }

    /** Makes one in the body of {@code its}. By the thread that runs that. */
    void inside(TaskContext context, Seen its) {
        Dice dice = dice(its, 2);
        if (!dice.chance(SHARE)) {
            return;
        }
        List<Mistake> all = new ArrayList<>();
        Task<?> own = its.result;
        if (own != null) {
            all.add(new Mistake("join of itself", own::join));
        }
        all.add(new Mistake("await", () -> session.graph().await()));
        if (!program.setting().closes()) { // else the session may be about to be closed, which goes on
            all.add(new Mistake("close", session::close));
        }
        for (Store store : program.stores()) {
            Resource resource = world.resource(store.number());
            if (resource instanceof Data data) {
                all.add(new Mistake("fetch", () -> session.data().fetch(data)));
                all.add(new Mistake(
                        "view in a body",
                        () -> session.data().open(data, Mode.READ).close()));
            }
            if (isRelated(its.job, store)) {
                continue;
            }
            all.add(new Mistake("demotion of what is not accessed", () -> context.demote(resource, Access.none())));
            if (resource instanceof Data data) {
                all.add(new Mistake("data that is not accessed", () -> context.memory(data)));
            } else if (resource instanceof Handle<?> handle && store.kind() == Store.Kind.HANDLE) {
                all.add(new Mistake("handle that is not accessed", () -> context.get(handle)));
            }
        }
        make(all.get(dice.below(all.size())), its);
    }

    private boolean isRelated(Job job, Store store) {
        return job.touches().stream().anyMatch(touch -> program.isRelated(touch.store(), store.number()));
    }

    private Dice dice(Seen its, int number) {
        return new Dice(program.setting().mistakes() + its.job.id(), Set.of(), Set.of()).at(number);
    }

    private void make(Mistake mistake, Seen its) {
        if (program.setting().mistakes() == 0) {
            return;
        }
        try {
            mistake.call.run();
        } catch (IllegalArgumentException
                | IllegalStateException
                | NullPointerException
                | UnsupportedOperationException e) {
            String message = e.getMessage();
            if (message == null || message.isBlank() || message.startsWith("Cannot invoke")) {
                violation(mistake, its, "was refused without a reason", e);
            }
            return;
        } catch (RuntimeException | Error e) {
            violation(mistake, its, "ended with", e);
            return;
        }
        violation(mistake, its, "was not refused", null);
    }

    private void violation(Mistake mistake, Seen its, String what, @Nullable Throwable e) {
        bodies.violation(
                Violation.Kind.ERROR,
                "the wrong call \"" + mistake.what + "\" at " + its + " " + what + (e == null ? "" : ": " + e));
    }

    private TaskBody never(Seen its) {
        return context -> bodies.violation(Violation.Kind.ERROR, "a task that was refused ran, at " + its);
    }

    private TaskBuilder builder(Tasks where, Seen its) {
        TaskBuilder task = where.task("wrong, at t" + its.job.id());
        its.job.touches().forEach(touch -> task.accesses(world.declared(touch), world.access(touch)));
        return task;
    }

    // ---- at the top and in blocks that refine

    @SuppressWarnings("NullAway") // that is what is wrong
    private void submissions(List<Mistake> all, Tasks where, Seen its) {
        TaskBody body = null;
        TaskFunction<Integer> function = null;
        all.add(new Mistake("no body", () -> builder(where, its).run(body)));
        all.add(new Mistake("no function", () -> builder(where, its).call(function)));
        all.add(new Mistake("no function to start", () -> builder(where, its).startOn(Runnable::run, null)));
        all.add(new Mistake("no name", () -> where.task(null)));
        Kernel nothing = Kernel.named("nothing").on(ExecutionTarget.HOST, context -> {});
        Kernel kernel =
                nothing.parameters(KernelParameter.number("n", Integer.class), KernelParameter.number("m", Long.class));
        all.add(new Mistake("wrong numbers", () -> builder(where, its).run(kernel, 1, 2.5)));
        all.add(new Mistake("too few numbers", () -> builder(where, its).run(kernel)));
        if (program.setting().others() > 0) {
            all.add(new Mistake(
                    "main thread elsewhere",
                    () -> builder(where, its)
                            .flag(Flag.MAIN_THREAD)
                            .on(Setting.OTHERS)
                            .run(never(its))));
            all.add(new Mistake(
                    "kernel elsewhere",
                    () -> builder(where, its).on(Setting.OTHERS).run(nothing)));
        }
        if (program.setting().emulated() > 0) {
            all.add(new Mistake(
                    "data beyond any device",
                    () -> builder(where, its)
                            .writes(huge())
                            .on(ExecutionTarget.EMULATED)
                            .run(Kernels.ON_DEVICES, 0, 0)));
        }
        boolean adds = its.job.touches().stream().anyMatch(touch -> touch.how() == How.ADD || touch.how() == How.MUL);
        if (adds) {
            all.add(new Mistake(
                    "additions that are tried again",
                    () -> builder(where, its).retries(1).run(never(its))));
        }
    }

    @SuppressWarnings("NullAway") // that is what is wrong
    private void declarations(List<Mistake> all, Tasks where, Seen its) {
        Resource none = null;
        Task<?> noTask = null;
        all.add(new Mistake("null to read", () -> builder(where, its).reads(none)));
        all.add(new Mistake("null to come after", () -> builder(where, its).after(noTask)));
        all.add(new Mistake(
                "another session's", () -> builder(where, its).updates(FOREIGN).run(never(its))));
        all.add(new Mistake("worker -1", () -> builder(where, its).affinity(-1)));
        all.add(new Mistake("-1 retries", () -> builder(where, its).retries(-1)));
        all.add(new Mistake("no time", () -> builder(where, its).timeLimit(Duration.ZERO)));
        all.add(new Mistake("no such target", () -> builder(where, its).on(ExecutionTarget.named("nowhere"))));
        its.job.touches().stream()
                .map(touch -> world.resource(touch.store()))
                .filter(Data.class::isInstance)
                .map(Data.class::cast)
                .forEach(data -> all.add(new Mistake("part beyond data", () -> data.part(beyond(data.layout())))));
        outer(its)
                .ifPresent(around -> program.stores().stream()
                        .filter(store -> !isRelated(around, store))
                        .map(store -> world.resource(store.number()))
                        .forEach(resource -> all.add(new Mistake(
                                "more than the task around",
                                () -> builder(where, its).reads(resource).run(never(its))))));
    }

    private static Box beyond(Layout layout) {
        long[] from = layout.box().extents();
        long[] to = from.clone();
        for (int i = 0; i < to.length; i++) {
            to[i]++;
        }
        return Box.of(from, to);
    }

    /** Returns the job whose sub-task {@code its} is. */
    private Optional<Job> outer(Seen its) {
        return program.all()
                .filter(job -> Stream.of(job.subs(), job.inside(), job.more()).anyMatch(all -> all.contains(its.job)))
                .findFirst();
    }

    private void recordings(List<Mistake> all, Seen its) {
        all.add(new Mistake(
                "recorded, and adjustable",
                () -> session.record(
                        "wrong", tasks -> builder(tasks, its).adjustable().run(never(its)))));
        all.add(new Mistake(
                "recorded, and another session's",
                () -> session.record("wrong", tasks -> {
                    builder(tasks, its).run(never(its));
                    tasks.task("foreign").reads(FOREIGN).run(never(its));
                })));
        if (its.job.where().target() == Where.ANYWHERE) {
            all.add(new Mistake(
                    "recorded, and for the main thread",
                    () -> session.record(
                            "wrong",
                            tasks -> builder(tasks, its).flag(Flag.MAIN_THREAD).run(never(its)))));
        }
    }
}
