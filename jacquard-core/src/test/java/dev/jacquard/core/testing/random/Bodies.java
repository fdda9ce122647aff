package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.testing.random.Job.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The bodies of one trial's tasks, and what they notice. Threads: those that run tasks. */
final class Bodies {
    static final long LIMIT_NANOS = 300_000;
    private static final long DEAF_NANOS = 1_500_000;
    private static final int MOST_VIOLATIONS = 20;

    private final Program program;
    private final World world;
    private final Marks marks;
    private final Pace pace;
    /** Who opened the session. */
    private final Object main;

    /** Submits to graphs. */
    private final Consumer<Job> spawning;

    private final GivingUp givingUp;
    private final Refining refining;
    private final boolean calm;

    private final Queue<Violation> violations = new ConcurrentLinkedQueue<>();
    private final Set<Object> onHost = ConcurrentHashMap.newKeySet();
    private final Set<Object> onOthers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    /** For the number of each work what it read when it was done last. */
    private final Map<Long, Long> read = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** The caller opened the session; {@code submission} submits sub-tasks. */
    Bodies(
            Program program,
            World world,
            Pace pace,
            Inside inside,
            BiConsumer<Tasks, Job> submission,
            Consumer<Job> spawning) {
        this.spawning = spawning;
        this.program = program;
        this.world = world;
        this.marks = new Marks(program);
        this.pace = pace;
        this.main = pace.runner();
        this.givingUp = new GivingUp(this, program, world, marks, pace);
        this.refining = new Refining(this, marks, pace, givingUp, inside, submission);
        this.calm = program.isCalm();
    }

    Queue<Violation> violations() {
        return violations;
    }

    void violation(Violation.Kind kind, String text) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(new Violation(kind, text));
        }
    }

    /** All is over: adds {@code more} to the text of the first violation, which stays the first. */
    void tellWith(Supplier<String> more) {
        List<Violation> all = new ArrayList<>(violations);
        if (!all.isEmpty()) {
            Violation first = all.getFirst();
            all.set(0, new Violation(first.kind(), first.text() + "\n" + more.get()));
            violations.clear();
            violations.addAll(all);
        }
    }

    /** The session is closed: nothing may run. */
    void closed() {
        closed = true;
        while (program.setting().hasBroken() && running.get() > 0) {
            Thread.onSpinWait(); // a stage of the user's may be completed behind the close: each body tells of itself
        }
        int still = running.get();
        if (still > 0) {
            violation(Violation.Kind.AFTER_CLOSE, still + " bodies run after the session was closed");
        }
        for (Object runner : onOthers) {
            if (onHost.contains(runner)) {
                violation(Violation.Kind.PLACE, runner + " ran tasks of the host and of other workers");
            }
        }
    }

    // ---- bodies

    private void begin(Seen its, List<Touch> touches) {
        its.entered.incrementAndGet();
        running.incrementAndGet();
        if (its.isOver()) {
            violation(Violation.Kind.OUTLIVED, its + " began after it was over");
        }
        enter(its, touches);
    }

    /** Begins what is no try of the body of {@code its}. */
    void goOn(Seen its, List<Touch> touches) {
        running.incrementAndGet();
        enter(its, touches);
    }

    void enter(Seen its, List<Touch> touches) {
        String met = marks.enter(touches);
        if (met != null) {
            violation(Violation.Kind.OVERLAP, its + " at " + met);
        }
    }

    /** Checks that the task was not over meanwhile, and goes. */
    void end(Seen its, List<Touch> touches) {
        marks.exit(touches);
        leave(its);
    }

    /** Begins a part of a loop of {@code its}. */
    void enterPart() {
        running.incrementAndGet();
    }

    /** Ends a body, or a part of its loop: the task must not be over. */
    void leave(Seen its) {
        // A stage of the user's is completed by a thread that a broken engine, and its close, do not wait for.
        boolean onItsOwn = its.job.kind() == Job.Kind.ASYNC && program.setting().hasBroken();
        if (its.isOver() && !onItsOwn) {
            violation(Violation.Kind.OUTLIVED, its + " ran on when it was over: " + its.state());
        }
        if (closed && !onItsOwn) {
            violation(Violation.Kind.AFTER_CLOSE, its + " ran on when its session was closed");
        }
        running.decrementAndGet();
    }

    void checkPlace(Seen its) {
        Where where = its.job.where();
        Object runner = pace.runner();
        if (where.isMain() && !runner.equals(main)) {
            violation(Violation.Kind.PLACE, its + " is for the main thread, and ran on " + runner);
        }
        (where.target() == Where.OTHERS ? onOthers : onHost).add(runner);
    }

    void work(long number, List<Touch> touches, BodyContext context) {
        work(number, world.operands(touches, context));
    }

    private void work(long number, List<Operand> operands) {
        read.put(number, Mix.perform(number, operands));
    }

    /** A hash of what work {@code number} has read; null when no work of this process did. */
    @Nullable
    Long read(long number) {
        return read.get(number);
    }

    /** The body of a plain task. */
    void body(Seen its, TaskContext context) {
        perform(its, context, held -> refining.split(its, givingUp.inTurn(its, held, context), context));
    }

    /** The body of a kernel's implementation for workers. */
    void plainKernel(Seen its, BodyContext context) {
        perform(its, context, held -> held);
    }

    /** Does the work of a body, and {@code then} what gives up what the task holds; returns what is left. */
    private void perform(Seen its, BodyContext context, UnaryOperator<List<Touch>> then) {
        checkPlace(its);
        Job job = its.job;
        List<Touch> held = job.inside().isEmpty() ? job.atStart() : List.of();
        begin(its, held);
        try {
            if (job.fate().limit()) {
                if (job.manner().loop()) {
                    Looping.outlastLimit(this, its, context, program.setting());
                } else {
                    OwnSession.outlastLimit(this, its);
                }
                return;
            }
            if (job.manner().own()) {
                OwnSession.waitIn(this, its);
            }
            work(job.id(), held, context);
            job.spawned().forEach(spawning);
            pace.pause(job);
            if (job.manner().loop()) {
                Looping.loop(this, its, context);
            }
            held = then.apply(held);
        } catch (IllegalArgumentException | IllegalStateException e) {
            violation(Violation.Kind.ERROR, its + " was refused something: " + e);
        } finally {
            end(its, held);
        }
        its.failIfPlanned(marks, held);
    }

    /** The body of a task that a recorded graph runs. */
    void recorded(Seen its, List<Operand> operands) {
        begin(its, its.job.touches());
        work(its.job.id(), operands);
        pace.pause(its.job);
        end(its, its.job.touches());
        if (its.job.fate().fails()) {
            throw new PlannedFailure(its);
        }
    }

    /** One of many tasks that the compiled graph of {@code its} has beside those of the program. */
    void beside(Seen its, List<Touch> touches, BodyContext context) {
        goOn(its, touches);
        long _ = Mix.perform(its.job.id(), world.operands(touches, context));
        its.beside.incrementAndGet();
        end(its, touches);
    }

    /** The branch that a choice of a compiled graph chooses, by what it reads. */
    int choose(Seen its, BodyContext context) {
        recorded(its, world.operands(its.job.touches(), context));
        return branch(its.job, Objects.requireNonNull(read.get((long) its.job.id())));
    }

    /** The branch of {@code choice} for what it has read. */
    static int branch(Job choice, long read) {
        return (int) Math.floorMod(read, (long) Freezer.branches(choice));
    }

    /** Returns whether a compiled graph has another pass. */
    boolean again(Seen its, BodyContext context) {
        recorded(its, world.operands(its.job.touches(), context));
        return its.entered.get() % its.job.made().passes() != 0;
    }

    /** Begins, and lets another thread end. */
    CompletableFuture<Integer> begin(Seen its, TaskContext context) {
        checkPlace(its);
        Job job = its.job;
        begin(its, job.touches());
        work(job.id(), job.touches(), context);
        job.spawned().forEach(spawning);
        List<Touch> left = givingUp.inTurn(its, job.touches(), context);
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        boolean abandonable = job.manner().interruptible();
        if (abandonable) {
            end(its, left);
            marks.done(its.nextFails() ? List.of() : job.touches());
        }
        pace.later(() -> {
            pace.pause(job);
            if (!abandonable) {
                end(its, left);
            }
            try {
                its.failIfPlanned(marks, abandonable ? List.of() : left);
                stage.complete(job.id());
            } catch (PlannedFailure e) {
                stage.completeExceptionally(e);
            }
        });
        return stage;
    }

    /** A function on a thread of its own, deaf to interrupts. */
    int function(Seen its, TaskContext context) {
        Job job = its.job;
        List<Touch> held = job.touches();
        begin(its, held);
        try {
            if (job.fate().limit()) {
                OwnSession.outlastLimit(this, its);
                pace.linger(job, DEAF_NANOS);
            } else if (job.manner().own()) {
                OwnSession.waitIn(this, its);
            } else if (job.graph() != 0) {
                pace.linger(job, job.pause() % 100 * 10_000L);
            }
            work(job.id(), job.touches(), context);
            job.spawned().forEach(spawning);
            pace.pause(job);
            held = givingUp.inTurn(its, held, context);
        } catch (IllegalArgumentException | IllegalStateException e) {
            violation(Violation.Kind.ERROR, its + " was refused something: " + e);
        } finally {
            end(its, held);
        }
        its.failIfPlanned(marks, held);
        return job.id();
    }

    /** A kernel's work, wherever it runs. */
    void kernel(Seen its, boolean onDevice, List<Operand> operands) {
        Where where = its.job.where();
        // The kernels that wrote what was lost compute it again, in other memory, elsewhere and at any time
        // behind their tasks.
        boolean quiet = !calm && (its.isOver() || program.setting().hasBroken());
        if (!onDevice) {
            if (!quiet) {
                checkPlace(its);
            }
            if ((where.target() >= 0 || where.target() == Where.DEVICES)
                    && !quiet
                    && program.setting().emulated() > 0) {
                violation(Violation.Kind.PLACE, its + " is for a device, and ran on the host");
            }
        } else if (!quiet && (where.isMain() || where.target() == Where.HOST)) {
            violation(Violation.Kind.PLACE, its + " ran on a device");
        }
        if (quiet || (onDevice && program.setting().loses())) { // a lost device goes on with what it does, for nobody
            its.entered.incrementAndGet();
            work(its.job.id(), operands);
            pace.pause(its.job);
        } else {
            begin(its, its.job.touches());
            work(its.job.id(), operands);
            pace.pause(its.job);
            end(its, its.job.touches());
        }
        its.failIfPlanned(marks, List.of());
    }

    // ---- what user code does itself

    void enterView(Seen its) {
        begin(its, its.job.touches());
        pace.pause(its.job);
    }

    void leaveView(Seen its, UserView view) {
        work(its.job.id(), world.operands(its.job.touches(), view));
        end(its, its.job.touches());
    }
}
