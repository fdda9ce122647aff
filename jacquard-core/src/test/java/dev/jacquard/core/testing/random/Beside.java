package dev.jacquard.core.testing.random;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Store.Home;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs of compiled graphs that have no place among the tasks of a program: they work on stores of their own, and each
 * begins the next one where it ends. Threads: the submitter that begins them, then those that end runs; each sees what
 * the one before has written, since that began its run.
 */
final class Beside {
    private static final Set<Feature> FEATURES = EnumSet.of(
            Feature.DATA,
            Feature.AREAS,
            Feature.PARTS,
            Feature.DEVICES,
            Feature.KERNELS,
            Feature.ADDS,
            Feature.UNORDERED,
            Feature.COMPILED,
            Feature.NESTED,
            Feature.DECISIONS,
            Feature.BUILT,
            Feature.KINDS,
            Feature.SOLID,
            Feature.GAPS,
            Feature.NAMES,
            Feature.TASK_LIMITS);

    private final Around around;
    /** Those that are to run; null for none. */
    private final @Nullable Trial trial;

    private final List<CompiledGraph> runs = new ArrayList<>();
    /** True before the first one begins, and when no other one will. */
    private volatile boolean over = true;

    Beside(Around around) {
        this.around = around;
        this.trial = setting().beside() == 0 ? null : around.trial(draw());
    }

    private Setting setting() {
        return around.program().setting();
    }

    private Program draw() {
        Program drawn = Program.draw(setting().beside(), around.available(FEATURES), around.required(Feature.COMPILED));
        List<Store> stores = drawn.stores().stream()
                .map(store -> store.home() == Home.ENGINE ? store.at(Home.SEGMENT) : store)
                .toList();
        List<Job> jobs = drawn.jobs().stream()
                .filter(Job::isCompiled)
                .map(job -> job.with(job.touches(), Kind.COMPILED_START))
                .toList();
        return new Program(drawn.seed(), setting().inside(around.program().isCalm(), 0), stores, jobs, null);
    }

    /** Begins the first run, if that is to be before {@code next} is submitted. By the submitter of that. */
    void before(Job next) {
        List<Job> all = around.program().jobs();
        int place = (int) Math.floorMod(Mix.mix(setting().beside()), (long) all.size());
        if (trial != null && all.get(place).id() == next.id()) {
            trial.program().jobs().forEach(job -> runs.add(trial.freeze(job)));
            over = false;
            begin(trial, 0);
        }
    }

    private void begin(Trial its, int number) {
        if (number == runs.size()) {
            over = true;
            around.session().signal();
            return;
        }
        Seen one = its.of(its.program().jobs().get(number));
        its.submitted(one);
        try {
            runs.get(number).startUnordered((worker, failure) -> {
                one.complaint = failure;
                one.ended = failure == null ? TaskState.DONE : TaskState.CANCELLED;
                begin(its, number + 1);
            });
        } catch (IllegalStateException e) { // the session is closed
            one.refusal = e;
            over = true;
            around.session().signal();
        }
    }

    /** Waits for the last one. By the opener. */
    void await() {
        try {
            around.session().awaitUntil(() -> over);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does {@code what} for the trial of the runs. */
    void forEach(Consumer<Trial> what) {
        if (trial != null) {
            what.accept(trial);
        }
    }

    /** Judges the runs, if all were well, which are beside {@code outer}. All is over. */
    void judge(Trial outer) {
        if (trial == null) {
            return;
        }
        boolean well = true;
        for (Seen its : trial.submissions()) {
            well &= its.state() == TaskState.DONE;
            if (!well && !around.mayFail()) {
                trial.bodies()
                        .violation(Violation.Kind.STATE, its + " is " + its.state() + its.why() + " " + its.refusal);
            }
        }
        Around.judge(trial, well, "beside", outer.bodies());
    }

    /** All is over. */
    void forget() {
        forEach(Trial::forget);
    }
}
