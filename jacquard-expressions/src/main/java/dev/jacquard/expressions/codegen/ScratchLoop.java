package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a loop over scratch fields, of a few kilobytes: all rows of a field are one row of zeros. The segments are
 * off the heap and open to all threads, like the segments of fields: C2 takes the checks of both out of the loop for
 * the kind that it has seen, and compiles again for another one.
 *
 * <p>The JVM compiles a method for good after 600 calls, when the rounds of its loops and its calls are 15,000 together
 * (the options {@code Tier4MinInvocationThreshold} and {@code Tier4CompileThreshold}). Until then a round over points
 * takes 10 us; so most of the calls and of the rounds are over planes without rows, which cost next to nothing. Not
 * more of them: where C2 sees rounds over points seldom, the loop that it makes takes a quarter longer.
 *
 * <p>Threads: one at a time.
 */
final class ScratchLoop implements Runnable {
    /** Enough for C2 to unroll the loop as it does for long rows. */
    private static final int POINTS = 256;

    /** The calls over planes without rows in a run, and their planes. */
    private static final int EMPTY_CALLS = 6;

    private static final int EMPTY_PLANES = 32;

    /** The most nanoseconds for a value of a vector where C2 compiled it: some 0.5 for C2's code, some 10 for C1's. */
    private static final int COMPILED_NANOS = 3;

    /** The most nanoseconds for a call over planes without rows where C2 compiled it. */
    private static final int EMPTY_NANOS = 200;

    private final Loop loop;
    private final Binding binding;
    private final double[] parameters;
    private final Range row = new Range(0, POINTS, 0, 1, 0, 1);
    private final Range empty = new Range(0, POINTS, 0, 0, 0, EMPTY_PLANES);
    private final long compiledNanos;

    /** @param lanes the points that are computed at a time */
    ScratchLoop(LoopBody body, Loop loop, int lanes) {
        this.loop = loop;
        int reach = body.values().stream()
                .filter(value -> value.operator() == Operator.INPUT)
                .mapToInt(value -> Math.abs(value.element().dx()))
                .max()
                .orElse(0);
        long bytes = body.type().bytes();
        List<Binding.Place> places = new ArrayList<>();
        for (int i = 0; i < body.inputs() + body.results().size(); i++) {
            MemorySegment row = Arena.ofAuto().allocate((POINTS + lanes + 2L * reach) * bytes, Layout.ALIGNMENT);
            places.add(new Binding.Place(row, reach * bytes, 0, 0));
        }
        binding = new Binding(body, places);
        parameters = new double[body.parameters().size()];
        compiledNanos = (long) COMPILED_NANOS * POINTS / lanes * body.values().size() + EMPTY_CALLS * EMPTY_NANOS;
    }

    /** Returns how long a run takes at most when it is compiled. */
    long compiledNanos() {
        return compiledNanos;
    }

    @Override
    public void run() {
        loop.run(binding, parameters, row);
        for (int i = 0; i < EMPTY_CALLS; i++) {
            loop.run(binding, parameters, empty);
        }
    }
}
