package dev.jacquard.expressions.time;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The longest stable step, asked for again as the fields move: after rejections, as magnitudes change, and each
 * {@value #MOST_STEPS} steps, but not again within some steps. An answer costs some tens of evaluations of the rates,
 * so it takes some hundredths of the time at most. Between answers the estimate of the error alone limits a step that
 * is no more stable, since growth then makes the estimate grow. Where no answer is known, the estimate alone decides.
 *
 * <p>Confined to the thread of its integrator.
 */
final class StabilityLimit {
    private static final int MOST_STEPS = 1000;
    /**
     * The steps before it is asked for again, and the steps after the first answer, which double from one to the next.
     */
    private static final int LEAST_STEPS = 100;

    private static final int FIRST_STEPS = 4;
    /** The factor by which a magnitude changes until it is asked for again. */
    private static final double MOVED = 1.25;
    /** A step below that share of it has no need of a new answer, unless it was rejected. */
    private static final double FAR = 0.25;

    private final Integrator integrator;
    /** The stable steps that a step has. */
    private final int pieces;
    /** False if none can be found, whatever the fields are, or none is wanted. */
    private boolean mayAsk;
    /** NaN before it was asked for, infinite where none is known or all steps are stable. */
    private double stable;

    /** True if the last answer was a step, or that all are stable. */
    private boolean isKnown;
    /** The time of the fields at the last answer. */
    private double time;

    private long askedAt;
    private long asked;
    private boolean wasRejected;
    /** The magnitude of each field when it was asked for. */
    private final double[] magnitudeThen;

    private String unknown = "";

    StabilityLimit(Integrator integrator, Problem problem) {
        this.integrator = integrator;
        this.pieces = problem.method().pieces();
        this.mayAsk = problem.hasDerivatives();
        this.magnitudeThen = new double[problem.rates().size()];
        reset();
    }

    /** Forgets it: the fields are others. */
    void reset() {
        stable = Double.NaN;
        isKnown = false;
        time = Double.NaN;
        askedAt = 0;
        asked = 0;
        wasRejected = false;
        unknown = "";
    }

    /** Lets each step be stable: none is asked for any more. */
    void ignore() {
        mayAsk = false;
        stable = Double.POSITIVE_INFINITY;
        isKnown = false;
    }

    /** Returns it; infinite where none is known or all steps are stable. */
    double step() {
        return stable;
    }

    /** Returns the last answer; infinite if all steps were stable, NaN if none was known. */
    double known() {
        return isKnown ? stable : Double.NaN;
    }

    /** Returns the time of the fields at the last answer; NaN before one. */
    double time() {
        return time;
    }

    /** Returns when and why none was known; empty if it always was. */
    Optional<String> unknown() {
        return unknown.isEmpty() ? Optional.empty() : Optional.of(unknown);
    }

    /** Sets the limit of the method's own step, which is known: it is not asked for. */
    void set(double known, double[] magnitude) {
        answer(known);
        note(magnitude);
    }

    /** Notes that a step was rejected. */
    void reject() {
        wasRejected = true;
    }

    /**
     * Asks if it was never asked for, or again if it may be another one.
     *
     * @param next the length that the next step would have
     * @param magnitude of each field
     */
    void ask(double next, double[] magnitude, Runnable check) {
        long since = integrator.steps() - askedAt;
        long wait = Math.min(LEAST_STEPS, (long) FIRST_STEPS << Math.min(asked, 8));
        boolean isNear = next > FAR * stable;
        boolean isOld = since >= wait && (wasRejected || (isNear && (hasMoved(magnitude) || since >= MOST_STEPS)));
        if (!Double.isNaN(stable) && !isOld) {
            return;
        }
        answer(Double.NaN);
        if (mayAsk) {
            try {
                answer(integrator.stableStep(Double.POSITIVE_INFINITY, check));
            } catch (UnsupportedOperationException e) {
                mayAsk = false;
            } catch (ArithmeticException e) {
                unknown =
                        "from t = " + integrator.time() + " on, the estimate alone limits the steps: " + e.getMessage();
            }
        }
        note(magnitude);
    }

    private boolean hasMoved(double[] magnitude) {
        for (int i = 0; i < magnitude.length; i++) {
            if (magnitude[i] > MOVED * magnitudeThen[i] || magnitudeThen[i] > MOVED * magnitude[i]) {
                return true;
            }
        }
        return false;
    }

    private void answer(double step) {
        isKnown = step > 0;
        stable = isKnown ? pieces * step : Double.POSITIVE_INFINITY;
    }

    private void note(double[] magnitude) {
        time = integrator.time();
        askedAt = integrator.steps();
        asked++;
        wasRejected = false;
        System.arraycopy(magnitude, 0, magnitudeThen, 0, magnitude.length);
    }

    /** Adds the state to others, by names. */
    void put(Map<String, Double> state) {
        state.put("stable", stable);
        state.put("stable is known", isKnown ? 1.0 : 0.0);
        state.put("stable at", time);
        state.put("asked at", (double) askedAt);
        state.put("asked", (double) asked);
        state.put("rejected", wasRejected ? 1.0 : 0.0);
        for (int i = 0; i < magnitudeThen.length; i++) {
            state.put("magnitude then " + i, magnitudeThen[i]);
        }
    }

    /** Sets the state that {@link #put} has added. */
    void restore(Map<String, Double> state) {
        stable = number(state, "stable");
        isKnown = number(state, "stable is known") == 1;
        time = number(state, "stable at");
        askedAt = (long) number(state, "asked at");
        asked = (long) number(state, "asked");
        wasRejected = number(state, "rejected") == 1;
        for (int i = 0; i < magnitudeThen.length; i++) {
            magnitudeThen[i] = number(state, "magnitude then " + i);
        }
    }

    /** Returns a number of a state. */
    static double number(Map<String, Double> state, String name) {
        return Objects.requireNonNull(state.get(name), name);
    }
}
