package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.memory.data.Data;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program in a session: what is submitted, and how. Threads: the opener, other submitters, and bodies that
 * refine.
 */
final class Trial {
    private final Program program;
    private final Session session;
    private final List<ExecutionTarget> devices;
    private final TaskGraph[] graphs;
    private final World world;
    private final Inside inside;
    private final Bodies bodies;
    private final Freezer freezer;
    private final Runs runs;
    private final Groups groups;
    private final int key = Kernels.open();
    private final Log log;
    private final Pace pace;
    private final FormulaTasks formulas;
    private final @Nullable ComposedRun composed;
    private final Map<Integer, Seen> seen = new ConcurrentHashMap<>();
    private final Order order;
    private final HeldView held;
    private final Mistakes mistakes;
    private final Adjusting adjusting;
    private final Declarations declarations;
    private final Beside beside;
    private final Told told = new Told();

    /** The caller opened the session; components find {@code folder} for files. */
    Trial(
            Program program,
            Session session,
            List<ExecutionTarget> devices,
            Log log,
            Pace pace,
            Fronts fronts,
            Path folder) {
        this(program, session, program.setting().graphs(session), devices, log, pace, fronts, folder);
    }

    /** Creates a trial of a program that shares the two graphs of another one. */
    Trial(
            Program program,
            Session session,
            TaskGraph[] graphs,
            List<ExecutionTarget> devices,
            Log log,
            Pace pace,
            Fronts fronts,
            Path folder) {
        this.graphs = graphs;
        this.log = log;
        this.pace = pace;
        this.program = program;
        this.order = new Order(program);
        this.session = session;
        this.devices = devices;
        this.world = new World(program, session);
        this.formulas = new FormulaTasks(fronts.formulas(), world, session);
        Around around = new Around(program, session, graphs, devices, pace, folder);
        this.inside = new Inside(around);
        this.bodies = new Bodies(program, world, pace, inside, this::submitSub, this::spawn);
        this.freezer = new Freezer(program, session, world, bodies, this::of, this::run, formulas::submitTree);
        this.runs = new Runs(program, session, graphs[0], freezer, pace, this::isAlone);
        this.groups = new Groups(program.setting().within() ? new TaskGraph[0] : graphs);
        this.held = new HeldView(program, bodies);
        this.mistakes = new Mistakes(program, session, world, bodies);
        this.declarations = new Declarations(program, devices, seen);
        this.beside = new Beside(around);
        this.adjusting = new Adjusting(world, bodies, pace, this::submitSub);
        program.all().forEach(job -> seen.put(job.id(), new Seen(job)));
        Composition composition = program.composition();
        this.composed = composition == null
                ? null
                : new ComposedRun(
                        program,
                        composition,
                        fronts,
                        session,
                        graphs,
                        pace,
                        bodies,
                        folder,
                        told,
                        this::of,
                        this::submitTo);
    }

    Program program() {
        return program;
    }

    Bodies bodies() {
        return bodies;
    }

    World world() {
        return world;
    }

    /** Returns the top-level jobs that were submitted. When all is over. */
    List<Seen> submissions() {
        return order.all(log);
    }

    Log log() {
        return log;
    }

    Groups groups() {
        return groups;
    }

    Told told() {
        return told;
    }

    TaskGraph[] graphs() {
        return graphs;
    }

    Seen of(Job job) {
        return Objects.requireNonNull(seen.get(job.id()));
    }

    /** How the tasks ended that were submitted, and why. */
    String ends() {
        return Seen.ends(program.all().map(this::of));
    }

    /** True if all that was submitted ended well. */
    boolean isComplete() {
        return submissions().stream().allMatch(its -> its.refusal == null && its.state() == TaskState.DONE);
    }

    void forget() {
        Kernels.close(key);
        inside.forget();
        beside.forget();
    }

    /** The trials of all programs inside and beside. */
    List<Trial> others() {
        List<Trial> all = new ArrayList<>();
        inside.forEach(all::add);
        beside.forEach(all::add);
        return all;
    }

    /** The program whose runs have no place among the tasks. */
    Beside beside() {
        return beside;
    }

    /** The compiled graphs that were made so far. Any thread. */
    List<CompiledGraph> compiled() {
        return freezer.made();
    }

    /** Freezes a graph of the program. */
    CompiledGraph freeze(Job job) {
        return freezer.freeze(job);
    }

    /** Gives back the memory of temporaries of trees. All is over, and the session open. */
    void closeTrees() {
        formulas.close();
    }

    /** The programs that tasks have inside themselves. */
    Inside inside() {
        return inside;
    }

    /** Returns whether nothing is live of all that was submitted so far. */
    private boolean isAlone() {
        return Runs.areOver(graphs[0], graphs[1], session.graph())
                && order.allMatch(its -> (its.job.kind() != Kind.COMPILED_START && !its.elsewhere)
                        || its.state().isOver());
    }

    /** Submits one job of the program, or has components do it; submitters take turns. */
    void submit(Job job) {
        beside.before(job);
        if (composed != null && composed.holds(job)) {
            composed.run();
        } else {
            held.before(job);
            submitNow(job);
        }
    }

    /** Closes the view that a submitter holds, which is the opener then. */
    void closeView() {
        held.close();
    }

    /** A body submits {@code job}, which is part of a program inside its task, to {@code where}. */
    void submitInside(Tasks where, Job job) {
        order.add(of(job));
        submit(where, of(job));
    }

    /** A run of {@code its} is about to begin, which is submitted as nothing else. */
    void submitted(Seen its) {
        order.add(its);
    }

    private void submitTo(@Nullable Tasks where, Job job) {
        if (where == null) {
            submitNow(job);
        } else {
            of(job).elsewhere = true;
            submitInside(where, job);
        }
    }

    private void submitNow(Job job) {
        Seen its = of(job);
        order.add(its);
        boolean joins = job.manner().grouped() && !its.spawned && !job.kind().isOwn();
        submit(joins ? groups.join(its) : graphs[job.graph()], its);
    }

    /** A body submits {@code job} to its graph. */
    private void spawn(Job job) {
        of(job).spawned = true;
        submitNow(job);
    }

    private void submitSub(Tasks where, Job job) {
        submit(where, of(job));
    }

    private void submit(Tasks where, Seen its) {
        FullStack full = program.setting().full();
        try {
            if (full == null || waits(its.job.kind())) {
                make(where, its);
            } else {
                full.submit(() -> make(where, its));
            }
        } catch (IllegalArgumentException | IllegalStateException | UnsupportedOperationException e) {
            its.refusal = e;
        }
    }

    /** Returns whether the call that makes it waits, and runs bodies meanwhile. */
    private static boolean waits(Kind kind) {
        return switch (kind) {
            case COMPILED_RUN, FETCH, ANEW, VIEW, LOOK -> true;
            default -> false;
        };
    }

    private void make(Tasks where, Seen its) {
        switch (its.job.kind()) {
            case CANCEL -> {
                graphs[1].cancel();
                its.ended = TaskState.DONE;
            }
            case COMPILED -> runs.submit(where, its);
            case COMPILED_RUN -> its.byHand(() -> runs.run(its));
            case COMPILED_START -> runs.start(its);
            case VIEW -> held.open(its, builder(where, its));
            case FETCH ->
                its.byHand(() -> {
                    Touch touch = its.job.touches().getFirst();
                    if (touch.isWhole()) {
                        session.data().fetch((Data) world.resource(touch.store()));
                    } else {
                        session.data().fetch(world.view(touch));
                    }
                    its.fetched = world.atHome(touch);
                });
            case ANEW -> its.byHand(() -> its.values = world.renew(its.job, bodies));
            case PREFETCH -> prefetch(where, its);
            case RELEASE -> release(where, its);
            default -> task(where, its);
        }
    }

    private void prefetch(Tasks where, Seen its) {
        Touch touch = its.job.touches().getFirst();
        boolean fits = !devices.isEmpty() && program.setting().small() == 0;
        ExecutionTarget to = !fits ? ExecutionTarget.HOST : devices.get(its.job.id() / 100 % devices.size());
        its.result = touch.isWhole()
                ? where.prefetch((Data) world.resource(touch.store())).to(to)
                : where.prefetch(world.view(touch)).to(to);
    }

    private void release(Tasks where, Seen its) {
        Touch touch = its.job.touches().getFirst();
        Data data = (Data) world.resource(touch.store());
        where.release(data);
        its.result = where.task(program.name(its.job)).writes(data).run(context -> bodies.body(its, context));
    }

    private TaskBuilder builder(Tasks where, Seen its) {
        return builder(where, its, its.job.touches());
    }

    private TaskBuilder builder(Tasks where, Seen its, List<Touch> touches) {
        TaskBuilder task = where.task(program.name(its.job));
        List<Touch> inOrder = its.job.manner().bound() ? touches.reversed() : touches;
        inOrder.forEach(touch -> task.accesses(world.declared(touch), world.access(touch)));
        return task;
    }

    private void task(Tasks where, Seen its) {
        mistakes.before(where, its);
        Job job = its.job;
        boolean isBehind = where instanceof TaskGraph
                && composed == null
                && !program.setting().listens() // bodies submit among the loops
                && formulas.submitsLive(where, job);
        TaskBuilder task = builder(where, its, isBehind ? Touches.withoutOverwriting(job.touches()) : job.touches());
        declarations.make(task, its);
        Task<?> result = run(task, its);
        mistakes.again(task, its);
        its.result = result;
        if (job.manner().stage()) {
            its.stage = result.stage().handle(Seen.Ended::new);
        }
        if (job.isAdjusted()) {
            adjusting.adjust(its, result);
        }
        if (job.kind() == Kind.LOOK) {
            its.look(order::count);
        }
    }

    private Task<?> run(TaskBuilder task, Seen its) {
        return switch (its.job.kind()) {
            case KERNEL -> kernel(task, its);
            case FORMULA, STENCIL, GHOSTS -> formulas.submit(task, its.job);
            case PLAIN_KERNEL -> {
                Kernel plain =
                        Kernel.named("plain").on(ExecutionTarget.HOST, context -> bodies.plainKernel(its, context));
                yield task.run(
                        its.job.where().target() == Where.OTHERS
                                ? plain.on(Setting.OTHERS, context -> bodies.plainKernel(its, context))
                                : plain);
            }
            case ASYNC -> task.start(context -> bodies.begin(its, context));
            case DRIVER -> {
                Executor driver = its.job.manner().within() ? Runnable::run : pace.drivers(session);
                yield task.startOn(driver, context -> bodies.function(its, context));
            }
            case CALL, LOOK ->
                task.call(context -> {
                    mistakes.inside(context, its);
                    bodies.body(its, context);
                    return its.job.id();
                });
            default ->
                task.run(context -> {
                    Job late = its.job.isEarly() ? program.late() : null;
                    if (late != null && of(late).maybeRuns()) {
                        bodies.violation(Violation.Kind.OVERLAP, its + " began before the one that it comes after");
                    }
                    mistakes.inside(context, its);
                    bodies.body(its, context);
                });
        };
    }

    private Task<?> kernel(TaskBuilder task, Seen its) {
        List<Store> stores = its.job.touches().stream()
                .map(touch -> program.stores().get(touch.store()))
                .toList();
        Kernels.put(key, new Kernels.Runner(its, stores, bodies));
        Kernel kernel = Kernels.of(its.job, stores);
        return Pipelines.submit(kernel, key, its.job, session, task, world, !devices.isEmpty());
    }
}
