package dev.jacquard.expressions.time;

import dev.jacquard.expressions.loop.Value.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The changes of waves by a rate with given derivatives: {@code exp(i θ·x)} changes at the rate {@code λ = Σ a·exp(i
 * θ·d)}, summed over the distances d. Wave 0 has no phase. Immutable.
 */
final class Waves {
    /** The shortest of the long waves, by their phase from one cell to the next: six cells. */
    private static final double LONG = Math.PI / 3 - 1e-9;
    /** The phase of the shortest waves: two cells. */
    private static final double SHORTEST = Math.PI - 1e-9;
    /** The least decay of the shortest waves, by the growth of others, with which these may grow. */
    private static final double DECAY = 4;
    /**
     * The most waves but one half; a rate that reaches far in three dimensions is looked at for fewer than it needs.
     */
    private static final int MOST = 3_000;

    private final int dimensions;
    private final List<Element> distances;
    private final int own;
    /** The size of rounding errors, of that of a sum. */
    private final double rounding;
    /** True for waves of few cells along an axis. */
    private final boolean[] isShort;

    private final boolean[] isShortest;
    /** True if two cells or more are between some along an axis, as for derivatives of the fourth order. */
    private final boolean reachesFar;
    /** The real and imaginary parts of {@code exp(i θ·d)} for each wave, by distance. */
    private final List<double[]> cosines = new ArrayList<>();

    private final List<double[]> sines = new ArrayList<>();

    /** @param phases of the waves, from one cell to the next along each axis */
    Waves(List<double[]> phases, List<Element> distances, double rounding) {
        this.dimensions = phases.getFirst().length;
        this.distances = distances;
        this.rounding = rounding;
        this.own = IntStream.range(0, distances.size())
                .filter(i -> isOwn(distances.get(i)))
                .findFirst()
                .orElse(-1);
        this.reachesFar = distances.stream()
                .anyMatch(one -> IntStream.range(0, dimensions).anyMatch(axis -> Math.abs(one.distance(axis)) > 1));
        this.isShort = new boolean[phases.size()];
        this.isShortest = new boolean[phases.size()];
        for (double[] its : phases) {
            isShort[cosines.size()] = Arrays.stream(its).anyMatch(phase -> Math.abs(phase) >= LONG);
            isShortest[cosines.size()] = Arrays.stream(its).anyMatch(phase -> Math.abs(phase) >= SHORTEST);
            double[] cosine = new double[distances.size()];
            double[] sine = new double[distances.size()];
            for (int i = 0; i < cosine.length; i++) {
                double phase = 0;
                for (int axis = 0; axis < dimensions; axis++) {
                    phase += its[axis] * distances.get(i).distance(axis);
                }
                cosine[i] = Math.cos(phase);
                sine[i] = Math.sin(phase);
            }
            cosines.add(cosine);
            sines.add(sine);
        }
    }

    /**
     * Returns the phases of the waves that are looked at for rates with some distances: what swings fastest, and what
     * decays fastest, of a rate that reaches one cell, and as many more as it reaches farther. Of two that go to
     * opposite sides, and change alike, there is one. The first has no phase.
     *
     * @param withLong with waves of four and sixteen times their lengths, too
     */
    static List<double[]> phases(int dimensions, List<Element> distances, boolean withLong) {
        int[] reaches = new int[dimensions];
        boolean isMixed = false;
        for (Element one : distances) {
            int axes = 0;
            for (int axis = 0; axis < dimensions; axis++) {
                reaches[axis] = Math.max(reaches[axis], Math.abs(one.distance(axis)));
                axes += one.distance(axis) == 0 ? 0 : 1;
            }
            isMixed |= axes > 1;
        }
        List<double[]> axes = axes(reaches, isMixed);
        while (axes.stream().mapToInt(phases -> phases.length).asLongStream().reduce(1, Math::multiplyExact) > MOST) {
            int most = Arrays.stream(reaches).max().orElse(1);
            for (int axis = 0; axis < dimensions; axis++) {
                reaches[axis] = Math.min(reaches[axis], most - 1);
            }
            axes = axes(reaches, isMixed);
        }
        List<double[]> all = new ArrayList<>();
        add(all, axes, new double[dimensions], 0, 0);
        if (withLong) {
            for (double[] wave : List.copyOf(all.subList(1, all.size()))) {
                all.add(Arrays.stream(wave).map(phase -> phase / 4).toArray());
                all.add(Arrays.stream(wave).map(phase -> phase / 16).toArray());
            }
        }
        return all;
    }

    private static List<double[]> axes(int[] reaches, boolean isMixed) {
        return Arrays.stream(reaches).mapToObj(reach -> axis(reach, isMixed)).toList();
    }

    private static double[] axis(int reach, boolean isMixed) {
        DoubleStream.Builder all = DoubleStream.builder().add(0);
        if (reach > 0) {
            all.add(Math.PI);
            for (int i = reach == 1 && !isMixed ? 2 : 1; i < 3 * reach; i++) {
                all.add(i * Math.PI / (3 * reach)).add(-i * Math.PI / (3 * reach));
            }
            if (reach % 2 == 1) {
                all.add(Math.PI / 2).add(-Math.PI / 2);
            }
        }
        return all.build().toArray();
    }

    /** Adds the waves with the phases of the first axes. */
    private static void add(List<double[]> all, List<double[]> axes, double[] phases, int axis, int side) {
        if (axis == axes.size()) {
            all.add(phases.clone());
            return;
        }
        for (double phase : axes.get(axis)) {
            boolean hasSide = Math.abs(Math.sin(phase)) > 1e-9;
            int its = side == 0 && hasSide ? (phase > 0 ? 1 : -1) : side;
            if (its >= 0) {
                phases[axis] = phase;
                add(all, axes, phases, axis + 1, its);
            }
        }
    }

    /** Returns the number of waves. */
    int count() {
        return cosines.size();
    }

    /** Returns the place of the derivative by the cell itself; -1 if there is none. */
    int own() {
        return own;
    }

    /** Returns true if the derivatives are those by the cell itself alone. */
    boolean isLocal() {
        return distances.stream().allMatch(Waves::isOwn);
    }

    private static boolean isOwn(Element distance) {
        return distance.dx() == 0 && distance.dy() == 0 && distance.dz() == 0;
    }

    /** Returns {@code Σ a·cos(θ·d)}. */
    double cosine(int wave, double[] derivatives) {
        return sum(derivatives, cosines.get(wave));
    }

    /** Returns {@code Σ a·sin(θ·d)}. */
    double sine(int wave, double[] derivatives) {
        return sum(derivatives, sines.get(wave));
    }

    private static double sum(double[] derivatives, double[] factors) {
        double sum = 0;
        for (int i = 0; i < derivatives.length; i++) {
            sum += derivatives[i] * factors[i];
        }
        return sum;
    }

    static double size(double[] derivatives) {
        double size = 0;
        for (double a : derivatives) {
            size += Math.abs(a);
        }
        return size;
    }

    /** Returns true if a wave is of few cells along an axis. */
    boolean isShort(int wave) {
        return isShort[wave];
    }

    /** Returns true if a wave is of two cells along an axis. */
    boolean isShortest(int wave) {
        return isShortest[wave];
    }

    /**
     * Returns true if short waves grow faster than what is the same in all cells, which may, as in a reaction. Those
     * may, too, that the fourth derivatives of a model bound, as where phases separate: the shortest waves decay then,
     * by far, and on a finer grid the others are long ones.
     */
    boolean grow(double[] derivatives) {
        double most = Math.max(0, cosine(0, derivatives)) + rounding * size(derivatives);
        double fastest = fastest(derivatives, isShort);
        return fastest > most && !(reachesFar && fastest(derivatives, isShortest) < -DECAY * fastest);
    }

    /** Returns true if no waves grow faster than the shortest do: a finer grid lets shorter ones grow faster still. */
    boolean rise(double[] derivatives) {
        return fastest(derivatives, isShortest) >= fastest(derivatives, isShort) * (1 - rounding);
    }

    private double fastest(double[] derivatives, boolean[] which) {
        double fastest = Double.NEGATIVE_INFINITY;
        for (int wave = 1; wave < which.length; wave++) {
            fastest = which[wave] ? Math.max(fastest, cosine(wave, derivatives)) : fastest;
        }
        return fastest;
    }
}
