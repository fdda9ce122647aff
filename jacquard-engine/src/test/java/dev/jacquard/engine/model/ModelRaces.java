package dev.jacquard.engine.model;

import dev.jacquard.base.machine.Place;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Threads that measure at the same time. */
@SuppressWarnings("missing-explicit-ctor") // nobody but jcstress makes them
public class ModelRaces {
    /** Two threads measure one name: one run may be lost, and the mean is between the measurements. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the mean is between the measurements")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the mean is no measurement and between none")
    @State
    public static class OneName {
        private final LearnedTime time = new LearnedTime(0, null);

        @Actor
        public void one() {
            time.add(1_000, 8);
            time.add(1_100, 8);
        }

        @Actor
        public void other() {
            time.add(1_900, 8);
            time.add(2_000, 8);
        }

        @Arbiter
        public void look(I_Result result) {
            boolean between = time.nanos() >= 1_000 && time.nanos() <= 2_000;
            result.r1 = between && time.runs() >= 2 && time.runs() <= 4 ? 1 : 0;
        }
    }

    /** Two threads measure other sizes of a name: no size is lost. */
    @JCStressTest
    @Outcome(id = "1000, 2000", expect = Expect.ACCEPTABLE, desc = "both sizes are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a size is lost")
    @State
    public static class TwoSizes {
        private final TimeModel model = new TimeModel();

        @Actor
        public void one() {
            model.add("scale", Place.HOST, 8, 1_000);
        }

        @Actor
        public void other() {
            model.add("scale", Place.HOST, 64, 2_000);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = (int) model.nanos("scale", Place.HOST, 8);
            result.r2 = (int) model.nanos("scale", Place.HOST, 64);
        }
    }
}
