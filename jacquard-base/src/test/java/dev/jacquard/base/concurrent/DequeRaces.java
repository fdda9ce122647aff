package dev.jacquard.base.concurrent;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The owner and thieves of a deque. Each element carries a weight; taken once each, two elements weigh 17. */
public class DequeRaces {
    private static final Integer FIRST = 1;
    private static final Integer SECOND = 16;

    private static int weigh(@Nullable Integer element) {
        return element == null ? 0 : element;
    }

    private static int rest(WorkDeque<Integer> deque) {
        int weight = 0;
        for (Integer left = deque.pop(); left != null; left = deque.pop()) {
            weight += left;
        }
        return weight;
    }

    /**
     * The fence of pop against the fence of steal: else both take the second of two without a CAS between them. The CAS
     * of pop against that of steal: else both take the last.
     */
    @JCStressTest
    @Outcome(id = "17", expect = Expect.ACCEPTABLE, desc = "each element once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an element is lost or taken twice")
    @State
    public static class PopAgainstSteal {
        private final WorkDeque<Integer> deque = new WorkDeque<>(2, true);
        private int popped;
        private int stolen;

        public PopAgainstSteal() {
            deque.push(FIRST);
            deque.push(SECOND);
        }

        @Actor
        public void owner() {
            popped = weigh(deque.pop()) + weigh(deque.pop());
        }

        @Actor
        public void thief() {
            stolen = weigh(deque.steal()) + weigh(deque.steal());
        }

        @Arbiter
        public void count(I_Result result) {
            result.r1 = popped + stolen + rest(deque);
        }
    }

    /** The CAS of steal against that of another thief. */
    @JCStressTest
    @Outcome(id = "17", expect = Expect.ACCEPTABLE, desc = "each element once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an element is lost or taken twice")
    @State
    public static class StealAgainstSteal {
        private final WorkDeque<Integer> deque = new WorkDeque<>(2, true);
        private int one;
        private int other;

        public StealAgainstSteal() {
            deque.push(FIRST);
            deque.push(SECOND);
        }

        @Actor
        public void oneThief() {
            one = weigh(deque.steal());
        }

        @Actor
        public void otherThief() {
            other = weigh(deque.steal());
        }

        @Arbiter
        public void count(I_Result result) {
            result.r1 = one + other + rest(deque);
        }
    }

    /**
     * The release of bottom and of the ring in push and grow, against their acquires in steal: who steals an element
     * sees the slot and what was written into the element, also when the ring grew meanwhile.
     */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "nothing there yet")
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "the element with its content")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an element without its content, or an empty slot")
    @State
    public static class PushAgainstSteal {
        private final WorkDeque<int[]> deque = new WorkDeque<>(1, true);

        @Actor
        public void owner() {
            for (int i = 0; i < 3; i++) {
                int[] element = new int[1];
                element[0] = 7;
                deque.push(element);
            }
        }

        @Actor
        public void thief(I_Result result) {
            boolean empty = deque.isEmpty();
            int[] element = deque.steal();
            result.r1 = element == null ? (empty ? -1 : -2) : element[0];
        }
    }
}
