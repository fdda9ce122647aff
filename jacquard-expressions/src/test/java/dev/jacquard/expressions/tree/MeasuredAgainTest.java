package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Policies that ask for times, which change as a program runs. */
@Timeout(180)
class MeasuredAgainTest {
    /** The JVM compiles loops as they run: times are measured again, and the policy is asked with the new ones. */
    @Test
    void aPolicyIsAskedAgainLater() {
        double[] expected = AssignedTreesTest.expected();
        List<Map<String, Map<ExecutionTarget, Double>>> asked = new ArrayList<>();
        TargetPolicy changing = new TargetPolicy() {
            @Override
            public Choice choose(Step step) {
                Map<String, Map<ExecutionTarget, Double>> times = new HashMap<>();
                step.works().forEach(work -> times.put(work.name(), work.nanos()));
                asked.add(times);
                ExecutionTarget one = asked.size() % 2 == 1 ? ExecutionTarget.HOST : AssignedTreesTest.ONE;
                return new Choice(
                        Collections.nCopies(step.works().size(), one),
                        Collections.nCopies(step.works().size(), "its turn"));
            }

            @Override
            public boolean usesTimes() {
                return true;
            }
        };
        try (Session session = AssignedTreesTest.builder().open();
                FieldStore fields = FieldStore.open(session, AssignedTreesTest.GRID)) {
            AssignedTreesTest.set(fields);
            TreeRuns runs = TreeRuns.of(AssignedTreesTest.tree(), fields, changing);
            for (int choices = 1; choices <= 3; choices++) {
                while (asked.size() < choices) { // as many as take some times as long as the measurement did
                    runs.run();
                    assertArrayEquals(expected, fields.values(AssignedTreesTest.SUM));
                }
                ExecutionTarget one = choices % 2 == 1 ? ExecutionTarget.HOST : AssignedTreesTest.ONE;
                assertEquals(Set.of(one), Set.copyOf(runs.targets().values()));
                asked.getLast()
                        .forEach((name, times) -> assertEquals(
                                Set.of(ExecutionTarget.HOST, AssignedTreesTest.ONE, AssignedTreesTest.TWO),
                                times.keySet(),
                                name));
            }
            assertNotEquals(asked.getFirst(), asked.getLast());
        }
    }

    /** Loops on the host, which hardly run while devices do the work, are measured in lanes later. */
    @Test
    void loopsOnTheHostAreInLanesOnceRunsHaveTakenHalfASecond() {
        AtomicLong now = new AtomicLong(); // that a loop of the user's alone advances
        Tag<Cell> slow = Tag.cell("slow");
        Runnable hook = () -> now.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
        ExpressionTree tree = Model.of(AssignedTreesTest.GRID)
                .source(AssignedTreesTest.T)
                .define(new HookedLoop(AssignedTreesTest.GRID, AssignedTreesTest.T, 3, slow, hook))
                .define(AssignedTreesTest.TWICE, laplacian(AssignedTreesTest.T))
                .define(AssignedTreesTest.SUM, slow.plus(AssignedTreesTest.TWICE))
                .tree(AssignedTreesTest.SUM)
                .fuse(false);
        try (Session session = AssignedTreesTest.builder().clock(now::get).open();
                FieldStore fields = FieldStore.open(session, AssignedTreesTest.GRID)) {
            AssignedTreesTest.set(fields);
            TreeRuns runs = TreeRuns.of(tree, fields, TargetPolicy.hybrid());
            for (int run = 0; run < 24; run++) {
                runs.run();
            }
            double[] expected = fields.values(AssignedTreesTest.SUM);
            assertEquals(0, fields.loops().warmed());
            for (int run = 0; run < 200 && fields.loops().warmed() == 0; run++) {
                runs.run();
            }
            assertEquals(Loops.hasLanes() ? 2 : 0, fields.loops().warmed(), "one for each formula");
            fields.loops().awaitWarm();
            tree.on(ExecutionTarget.HOST, AssignedTreesTest.SUM).compile(fields).run();
            assertArrayEquals(expected, fields.values(AssignedTreesTest.SUM));
        }
    }
}
