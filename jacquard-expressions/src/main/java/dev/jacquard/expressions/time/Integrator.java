package dev.jacquard.expressions.time;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.TreeRuns;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Steps in time, recorded as a graph that each step runs. Between runs the fields have their values at {@link #time},
 * without ghosts. Where a step changes fields in turn, as Euler's does, {@code FieldStore.field} of one that advances
 * is another field after a run.
 *
 * <p>Threads: one at a time, and no task.
 */
public final class Integrator {
    /** The steps after which fields are looked at, unless the user says otherwise. */
    private static final int CHECK_EVERY = 100;
    /** More take years, however short. */
    private static final double MOST_STEPS = 1e12;

    private final Problem problem;
    private final FieldStore fields;
    private final StageTrees stages;
    private final Steps graphs;
    private final StableStep stableStep;
    private final KnownFields known;
    /** Chooses the lengths of steps; null if they are given. */
    private final @Nullable StepControl control;

    private final LostStep lost;
    private final Clock clock;
    private double time;
    private long steps;
    private long nanos;
    private long timedSteps;
    private int checkEvery = CHECK_EVERY;
    private long checkedAt;
    /** The values that the steps begin with were looked at. */
    private boolean started;

    Integrator(Problem given, FieldStore fields) {
        Problem problem = given.ofSteps();
        this.problem = problem;
        this.fields = fields;
        this.lost = new LostStep(problem, fields);
        this.clock = fields.session().clock();
        List<GridField> all = new ArrayList<>();
        problem.rates().keySet().forEach(tag -> all.addAll(FiniteCheck.components(fields, tag)));
        all.forEach(GridField::requireWritable); // here it has the name that the user gave
        stages = new StageTrees(problem, fields);
        stableStep = new StableStep(given, fields, stages.numbers().getFirst());
        graphs = stages.graphs();
        known = new KnownFields(fields, stages.staying());
        control = problem.tolerance() > 0 ? new StepControl(this, problem, fields, stages.deviations()) : null;
    }

    /**
     * Runs steps of equal length.
     *
     * @param count how many
     * @param length of each, above 0, and finite
     * @throws ArithmeticException if a field has values that are no numbers, or infinite
     * @throws dev.jacquard.core.graph.TaskFailedException if a task failed
     */
    public void run(long count, double length) {
        if (count < 0 || !(length > 0) || Double.isInfinite(length)) {
            throw new IllegalArgumentException(
                    "there are " + count + " steps of " + length + " to run: none below 0, each longer than 0");
        }
        for (long i = 0; i < count; i++) {
            step(length);
        }
        check();
    }

    /**
     * Runs steps up to a time: all of equal length but the last, which may be shorter.
     *
     * @param end the time, not before {@link #time}
     * @param length of the steps, above 0; no more than 1e12 of them
     */
    public void runUntil(double end, double length) {
        if (!(end >= time) || !(length > 0) || !((end - time) / length <= MOST_STEPS)) {
            throw new IllegalArgumentException(
                    "steps of " + length + " cannot lead from t = " + time + " to t = " + end + " in 1e12 or fewer");
        }
        while (time < end) {
            double left = end - time;
            // A rest that is all but a step is one: sums of steps are rounded.
            if (left <= length * (1 + 1e-9)) {
                step(left);
                time = end;
            } else {
                step(length);
            }
        }
        check();
    }

    /**
     * Runs steps up to a time, with lengths that follow from an estimate of their errors and the longest stable step.
     *
     * @param end the time, not before {@link #time}
     * @throws IllegalStateException if there is no {@linkplain Ssp.Of#tolerance tolerance}
     */
    public void runUntil(double end) {
        control().runUntil(end);
        check();
    }

    /**
     * Returns the control that chooses the lengths of steps.
     *
     * @throws IllegalStateException if there is no {@linkplain Ssp.Of#tolerance tolerance}
     */
    public StepControl control() {
        if (control == null) {
            throw new IllegalStateException("the lengths of the steps are given: runUntil(end, length) runs steps, or"
                    + " compile them with a tolerance: Ssp.order(3)...of(tree).tolerance(1e-4)");
        }
        return control;
    }

    /**
     * Runs one step, or with a tolerance two of Euler's, each of half the length. The fields that advance are looked at
     * before the first one, but not after each as after {@link #run}: after the number of steps that
     * {@link #checkEvery} says.
     *
     * @param length above 0, and finite
     * @throws ArithmeticException if they have values that are no numbers, or infinite: before the first step nothing
     *     has run
     * @throws IllegalStateException if a field that the step reads or writes was exchanged for another one since the
     *     last step; if a step before, of a method with several stages, failed, or its thread was interrupted, or one
     *     of any method failed at a boundary, so that the fields are at no time: restore them and {@link #resume}, or
     *     begin again
     */
    public void step(double length) {
        attempt(length);
        accept(time + length);
    }

    /** Runs a step from the fields' time on, which {@link #accept} ends; else the next one begins as this one did. */
    void attempt(double length) {
        if (!(time + length > time) || Double.isInfinite(time + length)) {
            String mend = Double.isInfinite(time + length)
                    ? "to no time that is finite: it must be shorter"
                    : "nowhere: it must be longer";
            throw new IllegalArgumentException("a step of " + length + " from t = " + time + " leads " + mend);
        }
        lost.requireNone();
        if (fields.session().executor().isInsideNode()) {
            throw new IllegalStateException("a step waits for its tasks, and cannot be run inside of one");
        }
        known.requireUnexchanged();
        requireStart(true);
        stages.set(time, length);
        long begin = clock.nanoTime();
        lost.run(time, graphs::run);
        nanos += clock.nanoTime() - begin;
    }

    /** Sets the fields to the ones after the step that ran. */
    void accept(double to) {
        if (problem.swaps()) {
            stages.swap();
            known.note();
        }
        graphs.accept();
        timedSteps += problem.method().pieces();
        time = to;
        steps += problem.method().pieces();
        if (steps - checkedAt >= checkEvery) {
            check();
        }
    }

    private void requireStart(boolean begins) {
        if (!started) {
            problem.rates().keySet().forEach(tag -> FiniteCheck.requireStart(fields, tag, time));
            started = begins;
        }
    }

    private void check() {
        requireStart(false); // of a run without steps, after which values may still be set
        for (Tag<?> tag : problem.rates().keySet()) {
            FiniteCheck.requireFinite(fields, tag, problem.rates().get(tag), checkedAt, steps);
        }
        checkedAt = steps;
    }

    /**
     * Looks at the fields that advance after each {@code steps} steps, and after each run; 100 by default. Before the
     * first step it always does.
     */
    public Integrator checkEvery(int steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("fields are checked after every step, or more, not " + steps);
        }
        checkEvery = steps;
        return this;
    }

    /**
     * Sets how many tasks of a step run at a time, and how many workers the loops of a task use, from the next step on.
     * Otherwise the first steps are measured, and some later ones again: then no more tasks run at a time than the step
     * could be faster on any number of workers, and the loops of each have the workers that are left. No byte depends
     * on it.
     *
     * @throws IllegalArgumentException when a number is less than 1
     * @throws IllegalStateException if expressions are assigned to targets: their tasks have all workers
     */
    public Integrator threads(int tasks, int operators) {
        graphs.threads(tasks, operators);
        return this;
    }

    /** Returns how many tasks of a step run at a time, and how many workers the loops of each use. */
    public ThreadSplit threads() {
        return graphs.threads();
    }

    /**
     * Sets the time, and the number of steps that led there: of fields that were written before, and are read in. The
     * steps before are over, failed ones too.
     *
     * @param at any time that is finite
     * @param after 0 or more
     */
    public void resume(double at, long after) {
        if (!Double.isFinite(at) || after < 0) {
            throw new IllegalArgumentException("steps cannot go on from t = " + at + " after " + after
                    + " steps: the time is finite, and there are no fewer than 0 steps before it");
        }
        lost.clear();
        if (control != null) {
            control.reset();
        }
        time = at;
        steps = after;
        checkedAt = after;
    }

    /** Returns the longest stable step; see {@link #stableStep(double, Runnable)}. */
    public double stableStep() {
        return stableStep(Double.POSITIVE_INFINITY, () -> {});
    }

    /**
     * Returns the longest step for which small disturbances do not grow by the method, at the fields' values,
     * boundaries and time now, up to a tenth shorter than all eigenvalues of the rates allow; or any from
     * {@code enough} on that bounds prove stable. Take 0.9 of it, since fields change later.
     *
     * @param check called every some milliseconds, by several threads; if it throws, so does this method
     * @return infinity if every step is stable
     * @throws ArithmeticException if none is known: {@link GrowingWavesException}, {@link InfiniteDerivativeException};
     *     short waves grow, as with a negative diffusivity; the method lets waves grow that do not decay
     */
    public double stableStep(double enough, Runnable check) {
        stages.numbers().getFirst().set(Problem.TIME, time);
        return stableStep.find(enough, check);
    }

    /** Returns the indices of the point with the largest derivatives of the rate at the last look; none before. */
    public int[] fastestPoint() {
        return stableStep.fastest();
    }

    /** Gives a parameter of the expressions another value, from the next step on. */
    public void set(String name, double value) {
        if (name.equals(Problem.TIME) || name.equals(Problem.STEP)) {
            throw new IllegalArgumentException("parameter \"" + name + "\" is given by the method");
        }
        stages.numbers().forEach(its -> its.set(name, value));
    }

    /** Returns the time that the fields have reached, from 0 on. */
    public double time() {
        return time;
    }

    /** Returns the number of steps so far. */
    public long steps() {
        return steps;
    }

    /** Returns the number of loops that a step runs. */
    public int loops() {
        return stages().stream().mapToInt(ExpressionTree::loops).sum();
    }

    /** Returns the tasks of a step, with their times where these were measured, to be drawn or analysed. */
    public GraphSnapshot snapshot() {
        return graphs.snapshot();
    }

    /**
     * Returns the runs of the steps, with a policy that may be changed between steps; empty unless expressions are
     * assigned to targets.
     */
    public Optional<TreeRuns> runs() {
        return graphs instanceof Steps.Assigned its ? Optional.of(its.runs()) : Optional.empty();
    }

    /** Returns the trees of the stages. */
    public List<ExpressionTree> stages() {
        return stages.trees();
    }

    /** Forgets the times of the steps so far: {@link #nanosPerPointStep} is that of later ones. */
    public void restartClock() {
        nanos = 0;
        timedSteps = 0;
    }

    /**
     * Returns the bytes of all fields: the fields that stay between the stages, and the temporaries of the most in one.
     */
    public long plannedBytes() {
        return memory().planned();
    }

    /** Returns the bytes of all fields if no temporaries shared memory. */
    public long staticBytes() {
        return memory().withoutSharing();
    }

    private StepMemory memory() {
        return new StepMemory(fields.grid(), stages(), stages.otherNames());
    }

    /** Returns the bytes that the loops of a step read and write. */
    public long movedBytes() {
        return stages().stream().mapToLong(ExpressionTree::movedBytes).sum();
    }

    /** Returns the mean nanoseconds that a step took per point, without checks; 0 before the first. */
    public double nanosPerPointStep() {
        return timedSteps == 0
                ? 0
                : (double) nanos
                        / timedSteps
                        / fields.grid().interior(Centring.CELL).points();
    }
}
