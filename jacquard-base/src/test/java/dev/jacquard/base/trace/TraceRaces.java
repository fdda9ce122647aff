package dev.jacquard.base.trace;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A lane's owner against its reader. */
public class TraceRaces {
    /** The release and the store-store fence of record against the acquires and the load-load fence of spans. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "whole spans only")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a span with fields of two")
    @State
    public static class RecordAgainstSpans {
        private final TraceLane lane = new Trace(() -> 0, 16).lane("lane");

        public RecordAgainstSpans() {
            for (int i = 1; i <= 16; i++) {
                lane.record(i, i, i, i);
            }
        }

        @Actor
        public void owner() {
            for (int i = 17; i <= 36; i++) {
                lane.record(i, i, i, i);
            }
        }

        @Actor
        public void reader(I_Result result) {
            lane.spans(span -> {
                long all = span.argument();
                if (span.nameId() != all || span.startNanos() != all || span.endNanos() != all) {
                    result.r1++;
                }
            });
        }
    }
}
