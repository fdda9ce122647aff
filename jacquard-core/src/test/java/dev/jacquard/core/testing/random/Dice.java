package dev.jacquard.core.testing.random;

import java.util.Set;

/**
 * Random numbers that depend on a seed and a place, not on what was drawn elsewhere: without a feature the others draw
 * the same. Confined to one thread.
 */
final class Dice {
    private final long seed;
    private final Set<Feature> enabled;
    /** What all programs have. */
    private final Set<Feature> always;

    private long state;

    Dice(long seed, Set<Feature> enabled, Set<Feature> always) {
        this.seed = Mix.mix(seed);
        this.enabled = enabled;
        this.always = always;
        this.state = this.seed;
    }

    /** Dice of their own for the {@code number}th of something. */
    Dice at(long number) {
        return new Dice(seed ^ Mix.mix(number + 77), enabled, always);
    }

    /** Dice of their own for a feature. */
    @SuppressWarnings("EnumOrdinal") // a seed draws the same as long as no feature is moved
    Dice of(Feature feature) {
        return at(1_000 + feature.ordinal());
    }

    boolean enabled(Feature feature) {
        return enabled.contains(feature);
    }

    /** True if the program of these dice has a feature that a share of programs has. */
    boolean drawn(Feature feature, double share) {
        return enabled(feature)
                && (always.contains(feature) || of(feature).at(1).chance(share));
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        return Mix.mix(state);
    }

    /** A number from 0 to below {@code bound}. */
    int below(int bound) {
        return (int) Math.floorMod(next() >>> 8, (long) bound);
    }

    /** One of {@code all}, each as likely as the others. */
    <T> T one(T[] all) {
        return all[below(all.length)];
    }

    double share() {
        return (next() >>> 11) * 0x1p-53;
    }

    boolean chance(double share) {
        return share() < share;
    }
}
