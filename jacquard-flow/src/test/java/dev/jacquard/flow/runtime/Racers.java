package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Two threads that begin each round together, a little earlier or later; and parts of a run to race on. */
final class Racers {
    private Racers() {}

    /** A part of a round. */
    @FunctionalInterface
    interface Part {
        void run(int round) throws Exception;
    }

    /** Runs rounds for a time box: {@code before}, then {@code one} and {@code other} at a time, then {@code after}. */
    static void race(int most, Part before, Part one, Part other, Part after) {
        assertTimeoutPreemptively(Watchdog.LIMIT, () -> {
            AtomicInteger turn = new AtomicInteger();
            AtomicInteger over = new AtomicInteger();
            AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
            CompletableFuture<Void> second = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int mine = next(turn, 0); mine != 0; mine = next(turn, mine)) {
                        other.run(mine);
                        over.set(mine);
                    }
                    second.complete(null);
                } catch (Throwable t) {
                    problem.set(t);
                    second.completeExceptionally(t);
                }
            });
            Rounds.run(most, round -> {
                try {
                    before.run(round);
                    turn.set(round);
                    for (int i = round % 101; i > 0; i--) { // the other hears of the turn some microseconds later
                        Thread.onSpinWait();
                    }
                    Rounds.drift(round);
                    one.run(round);
                    Watchdog.until(() -> over.get() == round || problem.get() != null, "the other part ends");
                    if (problem.get() == null) {
                        after.run(round);
                    }
                } catch (Exception e) {
                    throw new AssertionError("round " + round, e);
                }
            });
            turn.set(-1);
            second.join();
        });
    }

    private static int next(AtomicInteger turn, int last) {
        Watchdog.until(() -> turn.get() != last, "the next round");
        return Math.max(0, turn.get());
    }

    /** A run of one task with two copies that nobody runs. */
    static Run run() {
        return Run.start(new SeededWorkers(1), plan(2));
    }

    private static RunPlan plan(int copies) {
        StagePlan stage = new StagePlan(
                "stage",
                Collections.nCopies(copies, (item, out) -> {}),
                List.of(),
                List.of(new int[0]),
                new StagePlan.MemoryUse(Map.of(), List.of(), Map.of()),
                StagePlan.Options.DEFAULT);
        return new RunPlan(
                "run",
                List.of(stage),
                List.of(new int[] {0}),
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                0,
                0,
                List::of);
    }

    /** Returns an input with one consumer of every item. */
    static Input input(ItemSink target, int bound, BufferGrants ledger) {
        return new Input(new InputFeeds(new ItemSink[][] {{target}}, List.of(), ledger), bound, new Breakage());
    }

    static TaskInstance copy(Run run, Stage stage) {
        return new TaskInstance(
                run.context(),
                new Courier(run.context().workers()),
                stage,
                new CopyInfo("stage", 0, 1, 0, 1, null),
                new ItemSink[1][0]);
    }
}
