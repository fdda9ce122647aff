package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data that is freed, or whose session is closed, while a part of it is being recomputed. */
@Timeout(180)
class FreedInRecomputationTest {
    private static final int LENGTH = 100;
    private static final ExecutionTarget DEVICE = ExecutionTarget.named("emulated0");

    private static final EmulatedBody FILL =
            new EmulatedBody("fill", launch -> launch.memory(0).fill((byte) 1));

    /** The thread that frees or closes; null before. Written and read by it and the thread that recomputes. */
    private volatile @Nullable Thread waiting;
    /** True once that is over, whose wait the recomputation is to outlast. */
    private volatile boolean over;
    /** True once the recomputation has ended, or nearly. */
    private volatile boolean recomputed;

    /** Recomputed on the host, which takes until the one that frees waits, or does not. */
    private final Kernel slow = Kernel.named("slow")
            .parameters("x")
            .onDevice(ExecutionTarget.EMULATED, FILL)
            .onHost(arguments -> {
                Thread opener = Objects.requireNonNull(waiting);
                while (!over && !isWaited(opener)) {
                    Thread.onSpinWait();
                }
                Memory x = arguments.memory(0);
                for (long i = 0; i < x.extent(0); i++) {
                    x.setDouble(i, 2);
                }
                recomputed = true;
            });

    private static boolean isWaited(Thread opener) {
        return opener.getState() == Thread.State.TIMED_WAITING // it looks now and then if anything broke off
                && Arrays.stream(opener.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Coherence.class.getName())
                                && List.of("free", "close").contains(frame.getMethodName()));
    }

    /**
     * The device that alone has a part of {@code x} that can be recomputed, and one that cannot, is lost: the way home
     * fails at once for the second, while the first is on its way.
     */
    private Data lost(Session session) {
        Data x = session.data().vector("x", new double[LENGTH]);
        Data y = session.data().vector("y", DataType.FLOAT64, LENGTH);
        Handle<int[]> effects = session.wrap("effects", new int[1]);
        session.graph().task("slow").writes(x.rows(0, 50)).on(DEVICE).run(slow);
        session.graph()
                .task("impure")
                .updates(effects)
                .writes(x.rows(50, LENGTH))
                .on(DEVICE)
                .run(slow);
        session.graph().await();
        Kernel fill =
                Kernel.named("fill").onDevice(ExecutionTarget.EMULATED, FILL).onHost(arguments -> {});
        session.graph().task("loses the device").writes(y).run(fill);
        session.graph().await();
        assertEquals(1, session.data().faults().lost().size());
        waiting = Thread.currentThread();
        return x;
    }

    private static Session session() {
        return LostDevicesTest.session(LostDevicesTest.offer(0, FaultPlan.NONE.at(Kind.LOSS, 3)));
    }

    private static long hostBytes(Session session) {
        return session.data().transfers().spaces().getFirst().bytes();
    }

    @Test
    void leavesNothingBehindOnceItIsFreed() {
        try (Session session = session()) {
            Data x = lost(session);
            assertThrows(IllegalStateException.class, () -> session.data().free(x));
            over = true;
            while (session.data().faults().recomputations().isEmpty()) {
                Thread.onSpinWait();
            }
            assertEquals(LENGTH * Double.BYTES, hostBytes(session), "y alone");
        }
    }

    @Test
    void isNotRecomputedAnyMoreOnceTheSessionIsClosed() {
        Session session = session();
        lost(session);
        assertThrows(IllegalStateException.class, session::close);
        boolean before = recomputed;
        over = true;
        assertTrue(before);
    }
}
