package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.Recomputation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The newest writes are known by their versions, and no others. */
class LineageTest {
    private static final int MOST = 1 << 14;
    private static final Recomputation RECIPE =
            new KernelCall(Kernel.named("k").onHost(arguments -> {}), "t", AccessList.of()).recomputation();

    @Test
    void theNewestAreKnown() {
        Lineage lineage = new Lineage();
        assertNull(lineage.of(1));
        for (int n = 1; n <= 3 * MOST; n++) {
            lineage.keep(new Lineage.Step(3L * n, "task " + n, RECIPE, List.of()));
            if (n < 200 || n % 997 == 0) {
                int eldest = Math.max(1, n - MOST + 1);
                for (int known : new int[] {eldest, (eldest + n) / 2, n}) {
                    Lineage.Step step = lineage.of(3L * known);
                    assertNotNull(step, "write " + known + " of " + n);
                    assertEquals("task " + known, step.task());
                    assertNull(lineage.of(3L * known + 1));
                }
                assertNull(lineage.of(3L * (eldest - 1)), "forgotten");
                assertNull(lineage.of(3L * n + 3), "yet to come");
            }
        }
    }
}
