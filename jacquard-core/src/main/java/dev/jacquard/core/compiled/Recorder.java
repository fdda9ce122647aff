package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.Recording;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.memory.access.AccessList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks as a live graph does, infers their edges from their accesses, and freezes them into a
 * {@link CompiledGraph}. A decision on another pass, a choice of a branch, and an inner graph are tasks too, with
 * accesses of their own.
 *
 * <pre>{@code
 * CompiledGraph solve = session.record("solve", rec -> {
 *     rec.task("relax").updates(u).run(ctx -> relax(ctx.get(u)));
 *     rec.task("norm").reads(u).writes(norm).run(ctx -> norm(ctx.get(u), ctx.get(norm)));
 *     rec.repeatWhile("not there yet", t -> t.reads(norm), ctx -> ctx.get(norm)[0] > eps);
 * });
 * solve.run();
 * }</pre>
 *
 * <p>The result of a recorded task holds the value of the last run. Recorded tasks cannot be refined, demoted, retried,
 * limited in time, asynchronous, or bound to the main thread or to a target that is no device, nor access unordered
 * resources; their submission says so.
 *
 * <p>Threads: confined to the block that records.
 */
public final class Recorder implements Tasks {
    private static final TaskBody NOTHING = context -> {};

    private final Recording recording;
    private final List<Step> steps = new ArrayList<>();
    private final CompiledGraphBuilder builder;
    private final List<InBranch> branches = new ArrayList<>();

    /** A recorded task that is more than a body: its number, and how it is added to the builder. */
    private record Step(int task, Adder adder) {}

    private record InBranch(int chooser, int branch, int task) {}

    private interface Adder {
        int add(CompiledGraphBuilder to, String name, Consumer<DeclaredAccesses> accesses);
    }

    private Recorder(CompiledGraphBuilder builder, DependencyDomain domain) {
        this.builder = builder;
        this.recording = new Recording(builder.name(), domain);
    }

    /**
     * Records the tasks that {@code tasks} submits, and freezes them.
     *
     * @param builder a builder without tasks, of the domain's session
     * @param domain the domain of the session that owns the resources of the tasks
     */
    public static CompiledGraph record(
            CompiledGraphBuilder builder, DependencyDomain domain, Consumer<? super Recorder> tasks) {
        Recorder recorder = new Recorder(builder, domain);
        try {
            tasks.accept(recorder);
        } finally {
            recorder.recording.close();
        }
        return recorder.freeze();
    }

    @Override
    public TaskBuilder task(String task) {
        return recording.task(task);
    }

    /**
     * Sets the rule for a run that starts while another run is in flight; {@link CompiledGraph.OverlapRule#REFUSE} by
     * default. A graph that is a task twice, so that both tasks may run at the same time, has to queue.
     */
    public void whenBusy(CompiledGraph.OverlapRule choice) {
        builder.whenBusy(choice);
    }

    /**
     * Sets the scheduler that orders the ready tasks of the graph; none by default: the session's policy orders them.
     */
    public void scheduler(Scheduler choice) {
        builder.scheduler(choice);
    }

    /**
     * Records a task that decides whether the run has another pass; see {@link CompiledGraphBuilder#repeatWhile}.
     *
     * @param accesses declares the reads of the condition
     */
    public void repeatWhile(String task, Consumer<? super TaskBuilder> accesses, TaskCondition condition) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(accesses, "accesses");
        Objects.requireNonNull(condition, "condition");
        add(task, accesses, (to, name, declared) -> to.repeatWhile(name, condition, declared));
    }

    /**
     * Records a task that chooses one of several branches; see {@link CompiledGraphBuilder#choose}.
     *
     * @param accesses declares the reads of the choice
     * @param count the number of branches
     */
    public Branches choose(String task, Consumer<? super TaskBuilder> accesses, int count, TaskChoice choice) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(accesses, "accesses");
        Objects.requireNonNull(choice, "choice");
        return new Branches(
                task, add(task, accesses, (to, name, declared) -> to.choose(name, count, choice, declared)), count);
    }

    /**
     * Records a graph as a task, which accesses everything that the tasks of that graph access; see
     * {@link CompiledGraphBuilder#graph}.
     */
    public void graph(String task, CompiledGraph inner) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(inner, "inner");
        add(
                task,
                builder -> inner.declare(builder.unstaged()),
                (to, name, declared) -> to.graph(name, inner, declared));
    }

    private int add(String task, Consumer<? super TaskBuilder> accesses, Adder adder) {
        TaskBuilder builder = recording.task(task);
        accesses.accept(builder);
        builder.run(NOTHING);
        int number = recording.size() - 1;
        steps.add(new Step(number, adder));
        return number;
    }

    private CompiledGraph freeze() {
        @Nullable Adder[] adders = new @Nullable Adder[recording.size()];
        steps.forEach(step -> adders[step.task] = step.adder);
        List<Recording.Entry> entries = recording.entries();
        for (int i = 0; i < adders.length; i++) {
            Recording.Entry entry = entries.get(i);
            AccessList accesses = entry.accesses();
            Adder adder = adders[i];
            if (entry.asked() != null) {
                builder.drafts().asks(i, entry.asked(), entry.flags());
            }
            if (entry.place().isDevice()) { // with its work, or to bring data there
                builder.onDevice(entry.name(), entry.device(), entry.recipe(), entry.place(), accesses);
            } else if (adder == null && !entry.staged()) {
                builder.add(entry.name(), entry.body(), accesses, false, null, null);
            } else if (adder == null) {
                builder.task(entry.name(), entry.body(), declared(accesses));
            } else {
                adder.add(builder, entry.name(), declared(accesses));
            }
        }
        for (InBranch one : branches) {
            builder.guard(one.chooser, one.branch, one.task);
        }
        recording.edges((earlier, later, carries, kind, label) -> {
            builder.edge(earlier, later, carries);
            builder.drafts().reasons.add(earlier, later, kind, label);
        });
        return builder.build();
    }

    private static Consumer<DeclaredAccesses> declared(AccessList accesses) {
        return its -> accesses.each(its::accesses);
    }

    /** The branches of a task that chooses. */
    public final class Branches {
        private final String task;
        private final int chooser;
        private final int count;

        private Branches(String task, int chooser, int count) {
            this.task = task;
            this.chooser = chooser;
            this.count = count;
        }

        /**
         * Puts the tasks that {@code tasks} submits into {@code branch}: they run only when it was chosen. A branch may
         * be given in several calls, and hold further choices.
         *
         * @param branch from 0 on
         */
        public Branches in(int branch, Consumer<? super Recorder> tasks) {
            Objects.requireNonNull(tasks, "tasks");
            if (branch < 0 || branch >= count) {
                throw new IndexOutOfBoundsException("task \"" + task + "\" chooses one of " + count
                        + " branches, numbered from 0 on; there is no branch " + branch);
            }
            int first = recording.size();
            // A skipped task overwrites nothing: later tasks read the former contents, even if they are poisoned.
            recording.as(Skippable::of, () -> tasks.accept(Recorder.this));
            for (int inside = first; inside < recording.size(); inside++) {
                branches.add(new InBranch(chooser, branch, inside));
            }
            return this;
        }
    }
}
