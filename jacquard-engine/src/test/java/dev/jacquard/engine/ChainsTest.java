package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WorkerContext;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several chains of short nodes, all of which one worker made ready. */
class ChainsTest {
    private static final int CHAINS = 6;
    private static final int LENGTH = 1_000;

    private SeededSchedule schedule = new SeededSchedule(1, 2);
    /** Per chain, the number of its nodes that have run. */
    private final int[] ran = new int[CHAINS];
    /** Per worker and chain, the number of nodes that have run. */
    private final int[][] ranOn = new int[3][CHAINS];
    /** The length of the others when the first chain is over. */
    private int[] atFirstEnd = {};

    private Node link(int chain) {
        return new Scripted("chain " + chain, Place.HOST, worker -> {
            schedule.passTime(4);
            ranOn[worker.index()][chain]++;
            if (++ran[chain] < LENGTH) {
                worker.readyAtEnd(link(chain));
            } else if (atFirstEnd.length == 0) {
                atFirstEnd = ran.clone();
            }
        });
    }

    private void beginAll(WorkerContext worker) {
        for (int chain = 0; chain < CHAINS; chain++) {
            worker.ready(link(chain));
        }
    }

    @Test
    void aThreadThatWaitsStaysWithTheChainItNeeds() {
        Worker[] workers = schedule.engine().pool().crew.all();
        schedule.as(1, () -> schedule.engine().ready(new Scripted("begin", Place.HOST, this::beginAll)));
        schedule.step(workers[1]);
        schedule.as(0, () -> workers[0].arrive(waitFor("chain 0"), null));
        while (ran[0] < LENGTH) {
            schedule.step(workers[0]);
            assertFalse(schedule.engine().pool().news.any(), "it put aside what it does not need");
            schedule.step(workers[1]);
        }
        assertEquals(LENGTH, ranOn[0][0]);
        assertEquals(LENGTH, Arrays.stream(ranOn[0]).sum());
    }

    private static Wait waitFor(String name) {
        return new Wait() {
            @Override
            public boolean needs(Node node) {
                return node.name().equals(name);
            }

            @Override
            protected boolean isHopeless() {
                return false;
            }
        };
    }

    @Test
    void eachNodeRunsOnceInAnyOrderOfSteps() {
        for (int seed = 1; seed <= 20; seed++) {
            schedule = new SeededSchedule(seed, 1 + seed % 3);
            Arrays.fill(ran, 0);
            Engine engine = schedule.engine();
            Node begin = new Scripted("begin", Place.HOST, this::beginAll);
            schedule.play(
                    List.of(new Action(false, () -> engine.ready(begin))),
                    () -> Arrays.stream(ran).sum() >= CHAINS * LENGTH);
            schedule.stepUntilAllSleep();
            assertEquals(CHAINS * LENGTH, Arrays.stream(ran).sum(), "with seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void areSharedEvenlyAndNoneIsLeftToTheEnd(int first) {
        Worker[] workers = schedule.engine().pool().crew.all();
        schedule.as(first, () -> schedule.engine().ready(new Scripted("begin", Place.HOST, this::beginAll)));
        schedule.step(workers[first]); // else the chains begin where the node was stolen
        schedule.stepUntilAllSleep();

        assertEquals(CHAINS * LENGTH, Arrays.stream(ran).sum());
        int least = Arrays.stream(atFirstEnd).min().orElseThrow();
        assertTrue(least > LENGTH / 2, () -> "when a chain is over, " + Arrays.toString(atFirstEnd) + " have run");
        for (int worker = 0; worker < 2; worker++) {
            long chains = Arrays.stream(ranOn[worker])
                    .filter(nodes -> nodes >= LENGTH / 4)
                    .count();
            assertTrue(chains >= CHAINS / 2, () -> "the workers have run " + Arrays.deepToString(ranOn));
        }
    }
}
