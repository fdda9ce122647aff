package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The pairs of the runtime that need an order, and what must not be seen without it. */
public class RuntimeRaces {
    private static Stage stage() {
        Stage stage = StageTest.stage(new BufferGrants(Clock.system(), () -> {}, new Breakage()), new BufferNeed[0], 1);
        stage.addProducers(1);
        return stage;
    }

    /**
     * The volatile write of tail in offer against its acquire in drainTo: who takes an item sees the slot and its
     * content.
     */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "nothing there yet")
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "the item with its content")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an empty slot, or an item without its content")
    @State
    public static class OfferAgainstDrain {
        private final Inbox inbox = new Inbox();
        private final Ring queue = new Ring();

        @Actor
        public void sender() {
            int[] item = new int[1];
            item[0] = 7;
            inbox.offer(new Object[] {item}, 0, 1);
        }

        @Actor
        public void copy(I_Result result) {
            Object[] taken = new Object[1];
            inbox.drainTo(queue);
            boolean empty = queue.drainTo(taken, 1) == 0;
            result.r1 = empty ? -1 : taken[0] instanceof int[] item ? item[0] : -2;
        }
    }

    /** The release of head in free against its acquire in offer: a slot is filled again only after it was emptied. */
    @JCStressTest
    @Outcome(id = "257", expect = Expect.ACCEPTABLE, desc = "every item once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an item is lost or taken twice")
    @State
    public static class DrainAgainstRefill {
        private static final Object[] FULL = new Object[256];

        private final Inbox inbox = new Inbox();
        private final Ring queue = new Ring();
        private int refilled;

        static {
            Arrays.fill(FULL, 1);
        }

        public DrainAgainstRefill() {
            inbox.offer(FULL, 0, 256);
        }

        @Actor
        public void sender() {
            refilled = inbox.offer(FULL, 0, 1);
        }

        @Actor
        public void copy() {
            inbox.drainTo(queue);
            inbox.free();
        }

        @Arbiter
        public void count(I_Result result) {
            if (refilled == 0) {
                inbox.offer(FULL, 0, 1);
            }
            inbox.drainTo(queue);
            Object[] all = new Object[300];
            int count = queue.drainTo(all, 300);
            for (int i = 0; i < count; i++) {
                result.r1 += all[i] == null ? 1000 : 1;
            }
        }
    }

    /** The fence behind tail in offer against the one behind the bell: one of both sees the other. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "the sender rings, or the copy stays awake")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the copy sleeps beside the item")
    @State
    public static class OfferAgainstBell {
        private final Inbox inbox = new Inbox();
        private final Object[] item = {7};

        @Actor
        public void sender(II_Result result) {
            inbox.offer(item, 0, 1);
            result.r1 = inbox.rings() ? 1 : 0;
        }

        @Actor
        public void copy(II_Result result) {
            inbox.bell(true);
            result.r2 = inbox.size() > 0 ? 1 : 0;
        }
    }

    /** The look of a line behind its bell: no item stays in the inbox beside a buffer that comes back. */
    @JCStressTest
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "every item has its buffer")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an item waits, and neither thread knows")
    @State
    public static class SendAgainstLook {
        private final BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        private final Pool pool = HotPathStressTest.pool(ledger, true);
        private final Stage stage = StageTest.stage(ledger, new BufferNeed[] {new BufferNeed(pool, 1, 0)});
        private final Input input = Racers.input(stage, 0, ledger);

        public SendAgainstLook() {
            pool.free = 1;
            stage.addProducers(1);
            input.send(new Object[] {1, 2}, 2); // the second one waits
        }

        @Actor
        public void sender() {
            input.send(new Object[] {3}, 1);
        }

        @Actor
        public void returns() {
            synchronized (ledger) { // two come back, and the line looks once
                pool.free++;
                ledger.giveBack(pool, 0, false, new WakeList());
            }
        }

        @Arbiter
        public void count(I_Result result) {
            result.r1 = stage.take(new Object[4], 4, new CopyCounters(), null, new WakeList());
        }
    }

    /**
     * The volatile changes and closed of a stage: who sees the last change, in the order of an activation, sees the
     * end.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 0", "0, 1", "1, 1", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "the body is asked again, or knows")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a copy goes to sleep that nobody wakes")
    @State
    public static class EndAgainstActivation {
        private final Stage stage = stage();

        @Actor
        public void producer() {
            stage.producerDone(null);
        }

        @Actor
        public void copy(II_Result result) {
            result.r1 = stage.changes();
            result.r2 = stage.closed() ? 1 : 0;
        }
    }

    /** The volatile woken: who finds that it was woken sees what was done before. */
    @JCStressTest
    @Outcome(
            id = {"-1", "7"},
            expect = Expect.ACCEPTABLE,
            desc = "not woken yet, or with its reason")
    @Outcome(expect = Expect.FORBIDDEN, desc = "woken without its reason")
    @State
    public static class WakeAgainstSleep {
        private final DedicatedThread thread = new DedicatedThread();
        private int reason;

        @Actor
        public void waker() {
            reason = 7;
            thread.wake();
        }

        @Actor
        public void sleeper(I_Result result) {
            result.r1 = thread.isWoken() ? reason : -1;
        }
    }

    /** The volatile answer of a thread that waits for a buffer: with it comes what was done before. */
    @JCStressTest
    @Outcome(
            id = {"-1", "7"},
            expect = Expect.ACCEPTABLE,
            desc = "no answer yet, or with its reason")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an answer without its reason")
    @State
    public static class GrantAgainstWait {
        private final Waiter waiter;
        private int reason;

        public GrantAgainstWait() {
            BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
            waiter = new Waiter(HotPathStressTest.pool(ledger, true), 0, "test", true, 0);
        }

        @Actor
        public void granter() {
            reason = 7;
            waiter.answer(Waiter.Answer.GRANTED);
        }

        @Actor
        public void waits(I_Result result) {
            result.r1 = waiter.answered() ? reason : -1;
        }
    }
}
