package dev.jacquard.expressions.time;

import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Deviation;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Chooses the lengths of the steps of an integrator: as long as the estimate of a step's error is within the tolerance,
 * and no longer than is stable.
 *
 * <pre>
 *   length --> the step runs --within the tolerance--> accepted; the next length follows from the last two estimates
 *                            --else, or not finite---> repeated with a shorter length, from the same fields
 * </pre>
 *
 * <p>The estimate is the distance from the method's {@linkplain Stage.Companion companion}, found in the loop of the
 * last stage, relative to the greatest magnitude that the field has had so far; of several fields that advance the
 * greatest one counts. The next length is that of a PI controller, so lengths change smoothly where stability limits
 * them.
 *
 * <p>Lengths depend on the fields alone, and on no clock: they are the same on any number of workers, and after
 * {@link #restore}.
 *
 * <p>Threads: one at a time, and no task.
 *
 * <p>Source: Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, sections II.4 and IV.2; Gustafsson,
 * Control theoretic techniques for stepsize selection in explicit Runge–Kutta methods, ACM TOMS 17 (1991).
 */
public final class StepControl {
    private static final double SAFETY = 0.9;
    private static final double MOST_GROWTH = 5;
    private static final double LEAST_GROWTH = 0.2;
    /** The factor after a step that has values which are not finite, and the least one after any rejection. */
    private static final double SHORTER = 0.1;
    /** The share of the longest step with which to begin. */
    private static final double FIRST = 0.1;
    /** The share of the way to the end that a step takes at most: forces that last shorter may be missed. */
    private static final double MOST_OF_ALL = 0.1;
    /** The first step, where every step is stable, and the shortest that is rejected, as shares of the way. */
    private static final double FIRST_OF_ALL = 0.01;

    private static final double LEAST_OF_ALL = 1e-12;
    /** The shortest step that is rejected, as a share of the one that an error of the size of the field would need. */
    private static final double LEAST_OF_STABLE = 0.01;
    /** The steps from one look at the progress to the next, and the steps to the end with which no run gets there. */
    private static final int STEPS_OF_LOOK = 10_000;

    private static final double ENDLESS = 1e9;
    /** The rounding errors, in units of the last place of 1, that an estimate may have. */
    private static final double ROUNDING = 32;

    /** The growth of a greatest magnitude from which on it is looked at after each step. */
    private static final double STEADY = 1.01;
    /** The most steps from one look at magnitudes to the next. */
    private static final int MOST_UNSEEN = 16;

    private final Integrator integrator;
    private final FieldStore fields;
    private final List<Tag<?>> advancing;
    private final List<Deviation> deviations;
    private final double tolerance;
    private final int power;
    /** The stable steps that a step has. */
    private final int pieces;

    private final StabilityLimit limit;

    private double share = 0.9;
    /** The next length; NaN before the first. */
    private double next;
    /** The time from which on these lengths were chosen. */
    private double begin;
    /** The estimate of the last step that was accepted, in tolerances. */
    private double before;
    /** A step from this time on was rejected: the next one does not grow. */
    private boolean isRepeated;
    /** The greatest magnitude of each field so far, and the last one. */
    private final double[] greatest;

    private final double[] magnitude;
    /** The steps from one look at magnitudes to the next, and the steps until the next one. */
    private int looksEvery;

    private int looksIn;
    /** The steps since the last look at the progress, and its time. */
    private int stepsOfLook;

    private double timeOfLook;

    private double shortest;
    private double longest;
    private long rejections;
    private double estimate;

    /**
     * @param problem of the steps, which has a companion
     * @param deviations from the companion, in the order of the fields that advance
     */
    StepControl(Integrator integrator, Problem problem, FieldStore fields, List<Deviation> deviations) {
        this.integrator = integrator;
        this.fields = fields;
        this.deviations = List.copyOf(deviations);
        this.advancing = List.copyOf(problem.rates().keySet());
        this.power = Objects.requireNonNull(problem.method().companion()).power();
        this.pieces = problem.method().pieces();
        this.limit = new StabilityLimit(integrator, problem);
        double place = fields.grid().type().bytes() == Float.BYTES ? Math.ulp(1f) : Math.ulp(1.0);
        this.tolerance = Math.max(problem.tolerance(), ROUNDING * place);
        this.greatest = new double[advancing.size()];
        this.magnitude = new double[advancing.size()];
        reset();
    }

    /** Forgets all: the fields are others. */
    void reset() {
        limit.reset();
        next = Double.NaN;
        before = 1;
        isRepeated = false;
        looksEvery = 1;
        looksIn = 1;
        stepsOfLook = 0;
        shortest = Double.POSITIVE_INFINITY;
        longest = 0;
        rejections = 0;
        estimate = 0;
    }

    /**
     * Sets the share of the longest stable step that a step has at most; 0.9 unless set.
     *
     * @param ofStable above 0, at most 1
     */
    public StepControl share(double ofStable) {
        if (!(ofStable > 0 && ofStable <= 1)) {
            throw new IllegalArgumentException(
                    "a step has a share of the longest stable one above 0 and at most 1, not " + ofStable);
        }
        share = ofStable;
        return this;
    }

    /** Lets the estimate of errors alone limit the steps: no stable step is looked for. */
    public StepControl byErrorsAlone() {
        limit.ignore();
        return this;
    }

    /**
     * Runs steps up to a time.
     *
     * @param end the time, not before {@link Integrator#time}, at which the last step ends exactly
     */
    public void runUntil(double end) {
        while (integrator.time() < end) {
            advance(end, () -> {});
        }
    }

    /**
     * Runs one step, with as many rejected ones before it as it takes.
     *
     * @param end the time, after {@link Integrator#time}, that the step must not pass; a step that is shorter for that
     *     does not change later ones
     * @param check is called before each step, and while the stable step is looked for; if it throws, no step has run
     * @throws ArithmeticException if no step is short enough: values are not finite, or grow without bounds, or steps
     *     stay as short as a billionth of the way left
     */
    public void advance(double end, Runnable check) {
        double time = integrator.time();
        if (!(end > time) || Double.isInfinite(end)) {
            throw new IllegalArgumentException("a step from t = " + time + " cannot lead to t = " + end);
        }
        if (Double.isNaN(next)) {
            begin(end, check);
        }
        requireProgress(time, end);
        limit.ask(next, magnitude, check);
        while (true) {
            check.run();
            double wanted = Math.min(next, Math.min(share * limit.step(), MOST_OF_ALL * (end - begin)));
            double length = fitted(wanted, end - time);
            boolean isLast = length == end - time;
            if (!(time + length > time)) {
                throw new ArithmeticException(advancing + " advance by no step from t = " + time + ", however short: "
                        + "a rate has no value there, or the solution grows without bounds");
            }
            double ratio = tried(length);
            if (ratio <= 1 || (length <= least(end) && ratio < Double.POSITIVE_INFINITY)) {
                integrator.accept(isLast ? end : time + length);
                accepted(wanted, length, ratio);
                return;
            }
            rejections++;
            limit.reject();
            isRepeated = true;
            looksIn = 1;
            next = length * Math.clamp(SAFETY * Math.pow(ratio, -1.0 / power), SHORTER, SAFETY);
            limit.ask(next, magnitude, check);
        }
    }

    /**
     * Ends a run that would never come to its end, as about a value at which a rate jumps from one sign to the other.
     */
    private void requireProgress(double time, double end) {
        double mean = (time - timeOfLook) / STEPS_OF_LOOK;
        if (stepsOfLook == STEPS_OF_LOOK && mean * ENDLESS < end - time) {
            throw new ArithmeticException(String.format(
                    Locale.ROOT,
                    "%s advance by steps of %.2g alone at about t = %s: a rate jumps where the solution is, or has no"
                            + " bounds; smooth it, or give steps of one length",
                    advancing,
                    mean,
                    time));
        }
        if (stepsOfLook % STEPS_OF_LOOK == 0) {
            stepsOfLook = 0;
            timeOfLook = time;
        }
        stepsOfLook++;
    }

    private void begin(double end, Runnable check) {
        begin = integrator.time();
        for (int i = 0; i < greatest.length; i++) {
            greatest[i] = FiniteCheck.magnitude(fields, advancing.get(i));
            magnitude[i] = greatest[i];
        }
        limit.ask(0, magnitude, check);
        double stable = limit.step();
        next = Double.isInfinite(stable) ? FIRST_OF_ALL * (end - begin) : FIRST * share * stable;
    }

    /** Returns the length that leads to the end exactly, in one step or in two that are alike, or the wanted one. */
    private static double fitted(double wanted, double left) {
        return wanted >= left * (1 - 1e-9) ? left : 2 * wanted > left ? left / 2 : wanted;
    }

    /** Returns the shortest length of a step that is rejected for its estimate. */
    private double least(double end) {
        double stable = limit.step();
        return Double.isInfinite(stable)
                ? LEAST_OF_ALL * (end - begin)
                : LEAST_OF_STABLE * Math.pow(tolerance, 1.0 / power) * stable;
    }

    /** Runs a step, which is neither accepted nor rejected yet; returns its estimate, in tolerances. */
    private double tried(double length) {
        boolean looks = looksIn <= 1;
        deviations.forEach(one -> one.clear(looks));
        integrator.attempt(length);
        double most = 0;
        for (int i = 0; i < greatest.length; i++) {
            double distance = deviations.get(i).distance();
            magnitude[i] = looks ? deviations.get(i).magnitude() : magnitude[i];
            if (!(distance < Double.POSITIVE_INFINITY && magnitude[i] < Double.POSITIVE_INFINITY)) {
                return Double.POSITIVE_INFINITY;
            }
            double scale = Math.max(distance, Math.max(greatest[i], magnitude[i]));
            most = Math.max(most, distance == 0 ? 0 : distance / scale / tolerance);
        }
        return most;
    }

    private void accepted(double wanted, double length, double ratio) {
        boolean grew = false;
        for (int i = 0; i < greatest.length; i++) {
            grew |= magnitude[i] > STEADY * greatest[i];
            greatest[i] = Math.max(greatest[i], magnitude[i]);
        }
        looksEvery = grew ? 1 : looksIn > 1 ? looksEvery : Math.min(2 * looksEvery, MOST_UNSEEN);
        looksIn = looksIn > 1 ? looksIn - 1 : looksEvery;
        double factor =
                ratio == 0 ? MOST_GROWTH : SAFETY * Math.pow(ratio, -0.7 / power) * Math.pow(before, 0.4 / power);
        double follows = length * Math.clamp(factor, LEAST_GROWTH, isRepeated ? 1 : MOST_GROWTH);
        isRepeated = false;
        boolean isCut = length < wanted; // by the end
        next = isCut ? Math.max(wanted, follows) : follows;
        before = Math.max(ratio, 1e-4);
        estimate = Math.max(estimate, ratio * tolerance);
        longest = Math.max(longest, length);
        shortest = isCut && shortest < Double.POSITIVE_INFINITY ? shortest : Math.min(shortest, length);
    }

    /** Gives the longest stable step at the begin, which is known: it is not asked for. NaN where none is. */
    public void stableStep(double known) {
        limit.set(known, magnitude);
    }

    // ---- the state

    /** Returns the state, between two steps, by names: with the fields, all that a checkpoint needs. */
    public Map<String, Double> state() {
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("next", next);
        all.put("begin", begin);
        all.put("before", before);
        limit.put(all);
        all.put("looks every", (double) looksEvery);
        all.put("looks in", (double) looksIn);
        all.put("shortest", shortest);
        all.put("longest", longest);
        all.put("rejections", (double) rejections);
        all.put("estimate", estimate);
        for (int i = 0; i < greatest.length; i++) {
            all.put("greatest " + i, greatest[i]);
            all.put("magnitude " + i, magnitude[i]);
        }
        return all;
    }

    /**
     * Sets the state that another one returned, after {@link Integrator#resume}: the steps go on as that one's would
     * have.
     *
     * @throws IllegalArgumentException if numbers are missing
     */
    public void restore(Map<String, Double> state) {
        List<String> missing = new ArrayList<>(state().keySet());
        missing.removeAll(state.keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("the state of a step control lacks " + missing + "; it has "
                    + state.keySet() + ": give all that state() returned");
        }
        next = StabilityLimit.number(state, "next");
        begin = StabilityLimit.number(state, "begin");
        before = StabilityLimit.number(state, "before");
        limit.restore(state);
        looksEvery = (int) StabilityLimit.number(state, "looks every");
        looksIn = (int) StabilityLimit.number(state, "looks in");
        shortest = StabilityLimit.number(state, "shortest");
        longest = StabilityLimit.number(state, "longest");
        rejections = (long) StabilityLimit.number(state, "rejections");
        estimate = StabilityLimit.number(state, "estimate");
        for (int i = 0; i < greatest.length; i++) {
            greatest[i] = StabilityLimit.number(state, "greatest " + i);
            magnitude[i] = StabilityLimit.number(state, "magnitude " + i);
        }
    }

    // ---- for people: lengths of the method's own steps, two of which are one of this where it is Euler's

    /** Returns the length of the shortest step that was accepted, but for one that the end cut; infinite before one. */
    public double shortest() {
        return shortest / pieces;
    }

    /** Returns the length of the longest step that was accepted; 0 before one. */
    public double longest() {
        return longest / pieces;
    }

    /** Returns the number of steps that were rejected. */
    public long rejections() {
        return rejections;
    }

    /** Returns the greatest estimate of a step that was accepted, relative to the magnitude of its field. */
    public double estimate() {
        return estimate;
    }

    /** Returns the longest stable step as it was last asked for; infinite if all are stable, NaN if none is known. */
    public double stableStep() {
        return limit.known() / pieces;
    }

    /** Returns the time of the fields that {@link #stableStep()} is of; NaN before the stable step was asked for. */
    public double stableTime() {
        return limit.time();
    }

    /** Returns when and why no stable step was known; empty if it always was. */
    public Optional<String> unknownStability() {
        return limit.unknown();
    }
}
