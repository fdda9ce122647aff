package dev.jacquard.testkit;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The choices of a schedule: drawn from a seed and written down, or read from a list. Confined to one thread. */
public final class Choices {
    private final Random random;
    /** The choices to take instead of drawn ones; null when all are drawn. */
    private final int @Nullable [] given;

    private int[] taken = new int[256];
    private int size;

    private Choices(long seed, int @Nullable [] given) {
        this.random = new Random(seed);
        this.given = given;
    }

    /** Drawn from {@code seed}. */
    public static Choices drawn(long seed) {
        return new Choices(seed, null);
    }

    /** The given {@code choices} and then always the first possibility. */
    public static Choices of(int... choices) {
        return new Choices(0, choices.clone());
    }

    /** Chooses one of {@code possibilities} possibilities. */
    public int next(int possibilities) {
        int choice =
                given == null ? random.nextInt(possibilities) : size < given.length ? given[size] % possibilities : 0;
        if (size == taken.length) {
            taken = Arrays.copyOf(taken, 2 * size);
        }
        taken[size++] = choice;
        return choice;
    }

    /** The choices until now. */
    public int[] taken() {
        return Arrays.copyOf(taken, size);
    }
}
