package dev.jacquard.expressions.time;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries;
import dev.jacquard.expressions.tree.Expression;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.testkit.Watchdog;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that fail, or whose thread is interrupted: what they have changed is not taken for the fields at some time. */
@Timeout(180)
class LostStepsTest {
    private static final Tag<Cell> A = Tag.cell("a");
    private static final Tag<Cell> A_RATE = Tag.cell("a'");
    private static final Tag<Cell> B = Tag.cell("b");
    private static final Tag<Cell> B_RATE = Tag.cell("b'");

    /** A rate of 1. {@code each} is called whenever it is computed. */
    private record RateOfB(Runnable each) implements Expression {
        @Override
        public void advertise(Dependents dependents) {
            dependents.reads(B).computes(B_RATE);
        }

        @Override
        public Evaluation bind(Bindings bindings) {
            bindings.reads(B);
            Results results = bindings.computes(B_RATE);
            return run -> {
                each.run();
                for (int x = 0; x < 8; x++) {
                    results.set(x, 0, 0, 1);
                }
            };
        }
    }

    /** Fails once, in the last stage of the second step. */
    private static Integrator failing(FieldStore fields, int order) {
        fields.set(A, (x, y, z) -> 0);
        fields.set(B, (x, y, z) -> 0);
        AtomicInteger calls = new AtomicInteger();
        Expression fails = new RateOfB(() -> {
            if (calls.incrementAndGet() == 2 * order) {
                throw new IllegalStateException("once");
            }
        });
        Model model = Model.of(fields.grid())
                .source(A, B)
                .define(A_RATE, A.times(0).plus(1))
                .define(fails);
        return Ssp.order(order)
                .advance(A, A_RATE)
                .advance(B, B_RATE)
                .of(model.tree(A_RATE, B_RATE))
                .compile(fields);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void stepsAreRefusedBehindOneThatFailedUntilTheFieldsHaveATime(int order) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            Integrator integrator = failing(fields, order);
            integrator.step(1);
            assertThrows(TaskFailedException.class, () -> integrator.step(1));
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> integrator.step(1)),
                    "a step from t = 1.0 did not end",
                    "resume");
            fields.set(A, (x, y, z) -> 1);
            fields.set(B, (x, y, z) -> 1);
            integrator.resume(1, 1);
            integrator.run(2, 1);
            assertEquals(3, fields.max(A), 1e-12);
            assertEquals(3, fields.max(B), 1e-12);
            assertEquals(3, integrator.time());
        }
    }

    /** Euler's step writes other fields than it reads. */
    @Test
    void aStepThatChangedNothingMayBeDoneAgain() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            Integrator integrator = failing(fields, 1);
            integrator.step(1);
            assertThrows(TaskFailedException.class, () -> integrator.step(1));
            integrator.run(2, 1);
            assertEquals(3, fields.max(A));
            assertEquals(3, fields.max(B));
        }
    }

    /** The ghosts are of the field that the step reads, which has no values where they could not be filled. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsAreRefusedWhereAWallFunctionThrew(int order) {
        AtomicBoolean fails = new AtomicBoolean();
        Boundaries.Condition wall = Boundaries.Condition.dirichlet((x, y, z, t) -> {
            if (fails.get()) {
                throw new IllegalStateException("no wall");
            }
            return 0;
        });
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8).ghosts(1))) {
            fields.set(A, (x, y, z) -> 0);
            fields.set(B, (x, y, z) -> 0);
            Model model = Model.of(fields.grid())
                    .source(A, B)
                    .define(A_RATE, A.times(0).plus(1))
                    .define(B_RATE, B.times(0).plus(1));
            Integrator integrator = Ssp.order(order)
                    .advance(A, A_RATE)
                    .advance(B, B_RATE)
                    .of(model.tree(A_RATE, B_RATE))
                    .boundary(B, Side.X_LOW, wall)
                    .boundary(B, Side.X_HIGH, Boundaries.Condition.neumann(0))
                    .compile(fields);
            integrator.step(1);
            fails.set(true);
            TaskFailedException failure = assertThrows(TaskFailedException.class, () -> integrator.step(1));
            assertMentions(failure, "no wall");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> integrator.step(1)),
                    "a step from t = 1.0 did not end",
                    "resume");
            fails.set(false);
            fields.set(A, (x, y, z) -> 1);
            fields.set(B, (x, y, z) -> 1);
            integrator.resume(1, 1);
            integrator.run(2, 1);
            assertEquals(3, fields.max(A));
            assertEquals(3, fields.max(B));
        }
    }

    /** The run goes on when its thread does not, and another step would change what it computes with. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void stepsAreRefusedBehindAnInterrupt(int order) {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Expression waits = new RateOfB(() -> {
            if (calls.incrementAndGet() > order) { // behind the first step, which looks at the fields
                Watchdog.await(goOn, "the thread that waits was interrupted");
            }
        });
        try (Session session = Session.builder().workers(2).noMainThread().open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            fields.set(B, (x, y, z) -> 0);
            Integrator integrator = Ssp.order(order)
                    .advance(B, B_RATE)
                    .of(Model.of(fields.grid()).source(B).define(waits).tree(B_RATE))
                    .compile(fields);
            integrator.step(1);
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, () -> integrator.step(1));
            Thread.interrupted();
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> integrator.step(1_000)),
                    "a step from t = 1.0 did not end");
            goOn.countDown();
        }
    }

    /** The step goes on when its thread does not; Euler's has changed nothing that the next one begins with. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepOfEulersWaitsForTheOneThatWasInterrupted(boolean assigned) throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Expression waits = new RateOfB(() -> {
            if (calls.incrementAndGet() == 2) {
                Watchdog.await(goOn, "another step waits");
            }
        });
        try (Session session = Session.builder().workers(2).noMainThread().open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            fields.set(B, (x, y, z) -> 0);
            Ssp.Of steps = Ssp.order(1)
                    .advance(B, B_RATE)
                    .of(Model.of(fields.grid()).source(B).define(waits).tree(B_RATE));
            Integrator integrator = (assigned ? steps.targets(TargetPolicy.roundRobin()) : steps).compile(fields);
            integrator.step(1);
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, () -> integrator.step(1));
            Thread.interrupted();
            Thread other = Thread.ofPlatform().start(() -> integrator.step(1));
            Set<Thread.State> waitsOrFailed =
                    Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
            Watchdog.until(() -> waitsOrFailed.contains(other.getState()), "the other step");
            goOn.countDown();
            other.join();
            assertEquals(2, fields.max(B));
            assertEquals(2, integrator.steps());
        }
    }
}
