package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/** A claim that rests between runs: a run that takes it up and lets it rest, against threads that recall it. */
public class RestingClaimRaces {
    private static final TimeModel TIMES = new TimeModel();

    private static Coherence coherence(long hostBytes) {
        return new Coherence(
                new Limits(hostBytes, List.of(), List.of(), CachePolicy.leastRecentlyUsed(), LinkTable.empty()),
                Map.of(),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                TIMES);
    }

    /** Begins a claim that the race needs at once, and returns it. */
    private static DataClaim begun(Coherence coherence, Data data, Access access) {
        DataClaim claim =
                coherence.claim("run", coherence.footprint(AccessList.of(data, access)), Place.HOST, null, false);
        if (!claim.begin(() -> {})) {
            throw new IllegalStateException("nothing keeps " + data.name() + " from being there");
        }
        return claim;
    }

    /** Returns how many claims have the replicas of {@code data}, and recalls none. */
    private static int users(Data data) {
        Directory its = (Directory) data.directory();
        return its == null
                ? 0
                : its.all().stream().mapToInt(replica -> replica.pins).sum();
    }

    /** The runs of a graph that write their numbers into one element. The claim of the first one rests. */
    private static final class Runs {
        private static final int IN_USE = -1;

        private final Coherence coherence = coherence(Long.MAX_VALUE);
        private final double[] home = new double[1];
        private final Data x =
                new Data("x", RestingClaimRaces.class, Layout.of(DataType.FLOAT64, 1), MemorySegment.ofArray(home));
        private DataClaim claim = begun(coherence, x, Access.update());

        Runs() {
            end(1);
        }

        boolean begin() {
            boolean resumed = claim.resume();
            if (!resumed) {
                claim = begun(coherence, x, Access.update());
            }
            return resumed;
        }

        boolean end(int number) {
            home[0] = number;
            boolean rests = claim.rest();
            if (!rests) {
                claim.release(true);
            }
            return rests;
        }

        /** Recalls the claim and returns what is written, if no run uses the claim. */
        int recall() {
            boolean free = coherence.whereabouts(x).replicas().getFirst().users() == 0;
            return free ? (int) home[0] : IN_USE;
        }

        void look(IIII_Result result) {
            result.r3 = users(x);
            coherence.whereabouts(x);
            result.r4 = users(x);
        }
    }

    /**
     * The compare-and-set of a run that takes the claim up against that of a recall, and the next ones of both: one of
     * the two has the claim, which is given back once; and who recalls sees what the run before wrote.
     */
    @JCStressTest
    @Outcome(id = "0, [12], 1, 0", expect = Expect.ACCEPTABLE, desc = "recalled before: the run makes another claim")
    @Outcome(id = "1, -1, 0, 0", expect = Expect.ACCEPTABLE, desc = "in use, and wanted: the run gives it back")
    @Outcome(id = "1, 2, 0, 0", expect = Expect.ACCEPTABLE, desc = "recalled behind the run")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have it or none, or the recall does not see what was written")
    @State
    public static class ResumeAgainstRecall {
        private final Runs runs = new Runs();

        @Actor
        public void run(IIII_Result result) {
            result.r1 = runs.begin() ? 1 : 0;
            runs.end(2);
        }

        @Actor
        public void recall(IIII_Result result) {
            result.r2 = runs.recall();
        }

        @Arbiter
        public void look(IIII_Result result) {
            runs.look(result);
        }
    }

    /** The end of a run, which lets the claim rest again, against a recall: a claim that is wanted does not rest. */
    @JCStressTest
    @Outcome(id = "0, -1, 0, 0", expect = Expect.ACCEPTABLE, desc = "wanted: the run gives it back")
    @Outcome(id = "1, 2, 0, 0", expect = Expect.ACCEPTABLE, desc = "rests, and is recalled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "rests though it is wanted, is given back twice, or not seen to be")
    @State
    public static class RestAgainstRecall {
        private final Runs runs = new Runs();

        public RestAgainstRecall() {
            runs.begin();
        }

        @Actor
        public void run(IIII_Result result) {
            result.r1 = runs.end(2) ? 1 : 0;
        }

        @Actor
        public void recall(IIII_Result result) {
            result.r2 = runs.recall();
        }

        @Arbiter
        public void look(IIII_Result result) {
            runs.look(result);
        }
    }

    /**
     * The end of a run against a claim for which there is no room beside: that goes on, by the one or the other. It
     * fails, since there is no disk for what the run wrote.
     */
    private static class Room {
        private final Coherence coherence = coherence(Double.BYTES);
        private final Data x = data("x");
        private final Data y = data("y");
        private final AtomicInteger went = new AtomicInteger();
        private final DataClaim claim = begun(coherence, x, Access.write());
        private @Nullable DataClaim other;

        /** @param again true if the claim has rested before */
        Room(boolean again) {
            if (again && !(claim.rest() && claim.resume())) {
                throw new IllegalStateException("nothing keeps the claim from resting");
            }
        }

        private static Data data(String name) {
            return new Data(name, RestingClaimRaces.class, Layout.of(DataType.FLOAT64, 1), null);
        }

        void end() {
            if (!claim.rest()) {
                claim.release(true);
            }
        }

        void claim() {
            DataClaim its = coherence.claim(
                    "other", coherence.footprint(AccessList.of(y, Access.write())), Place.HOST, null, false);
            other = its;
            if (its.begin(went::incrementAndGet)) {
                went.incrementAndGet();
            }
        }

        void look(III_Result result) {
            result.r1 = went.get();
            result.r2 = users(x);
            result.r3 = other == null || other.failure() == null ? 0 : 1;
            coherence.close();
        }
    }

    /** The end of a run whose claim has rested, which takes no lock, against a claim that has to wait. */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the other claim goes on")
    @Outcome(expect = Expect.FORBIDDEN, desc = "waits for ever, goes on twice, or too early")
    @State
    public static class RestAgainstWait extends Room {
        public RestAgainstWait() {
            super(true);
        }

        @Actor
        public void run() {
            end();
        }

        @Actor
        public void other() {
            claim();
        }

        @Arbiter
        public void result(III_Result result) {
            look(result);
        }
    }

    /** The end of the first run, whose claim rests for the first time, against a claim that has to wait. */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the other claim goes on")
    @Outcome(expect = Expect.FORBIDDEN, desc = "waits for ever, goes on twice, or too early")
    @State
    public static class FirstRestAgainstWait extends Room {
        public FirstRestAgainstWait() {
            super(false);
        }

        @Actor
        public void run() {
            end();
        }

        @Actor
        public void other() {
            claim();
        }

        @Arbiter
        public void result(III_Result result) {
            look(result);
        }
    }
}
