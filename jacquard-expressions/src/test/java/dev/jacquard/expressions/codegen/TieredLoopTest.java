package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Interpreted loops that loops in lanes replace. */
class TieredLoopTest {
    private static final Loop.Range PART = new Loop.Range(0, 1 << 10, 0, 1 << 10, 0, 1);
    private static final int VALUES = 16;
    /** The runs after which enough work is done. */
    private static final int ENOUGH = (int) (TieredLoop.WORK / ((1 << 20) * VALUES));

    private static final class Counted extends Loop {
        int runs;

        @Override
        public void run(Binding fields, double[] parameters, Range range) {
            runs++;
        }
    }

    private final Counted first = new Counted();
    private final Counted plain = new Counted();
    private final Counted lanes = new Counted();
    private final List<TieredLoop> requests = new ArrayList<>();
    private final TieredLoop loop = new TieredLoop(first, plain, VALUES, requests::add);
    private final Binding nothing = new Binding(new BodyBuilder(DataType.FLOAT64).build(0, List.of()), List.of());

    private void run(int times) {
        for (int i = 0; i < times; i++) {
            loop.run(nothing, new double[0], PART);
        }
    }

    @Test
    void theOtherLoopIsAskedForOnceWhenEnoughWorkIsDone() {
        run(ENOUGH - 1);
        assertEquals(0, requests.size());
        run(1);
        assertEquals(List.of(loop), requests);
        run(100 * ENOUGH);
        assertEquals(1, requests.size(), "one attempt at a time");
        assertEquals(101 * ENOUGH, first.runs);
        assertFalse(loop.isReplaced());
    }

    @Test
    void runsGoOnWithTheOtherLoopOnceItIsCompiled() {
        run(ENOUGH);
        loop.replace(lanes);
        assertTrue(loop.isReplaced());
        run(3 * ENOUGH);
        assertEquals(ENOUGH, first.runs);
        assertEquals(3 * ENOUGH, lanes.runs);
        assertEquals(1, requests.size());
    }

    /** The JVM goes on compiling between attempts, so the next one comes at once. */
    @Test
    void anAttemptThatEndsTooEarlyIsRepeatedAtOnce() {
        run(ENOUGH);
        loop.keep();
        run(1);
        assertEquals(2, requests.size());
        assertEquals(ENOUGH + 1, first.runs);
        assertEquals(0, plain.runs);
    }

    @Test
    void afterSeveralThePlainLoopRunsAndTheNextAttemptComesAfterMoreWork() {
        run(ENOUGH);
        for (int attempt = 1; attempt <= 3; attempt++) {
            run(1);
            assertEquals(attempt, requests.size());
            loop.keep();
        }
        int before = first.runs;
        run(3 * ENOUGH);
        assertEquals(3, requests.size());
        run(2 * ENOUGH);
        assertEquals(4, requests.size());
        assertEquals(before, first.runs);
        assertEquals(5 * ENOUGH, plain.runs);
        loop.replace(lanes);
        run(1);
        assertEquals(1, lanes.runs);
    }

    /** Whoever turns warming off while a loop is warmed, or before it did enough work, has lanes all the same. */
    @Test
    void withoutWarmingLanesReplaceTheInterpretedLoopAtOnce() {
        Loops all = new Loops(body -> {}, false); // a thread that never runs
        LoopBody body = RowCacheLoopTest.stencilOfAStencil(2);
        TieredLoop begun = assertInstanceOf(TieredLoop.class, all.loop(body, Loops.Form.AUTO));
        TieredLoop later =
                assertInstanceOf(TieredLoop.class, all.loop(RowCacheLoopTest.stencilOfAStencil(1), Loops.Form.AUTO));
        begun.ask();
        assertFalse(begun.isReplaced());
        all.warm(false);
        for (TieredLoop one : List.of(begun, later)) {
            one.ask();
            assertTrue(one.isReplaced());
        }
    }
}
