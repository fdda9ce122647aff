package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.files.Slice;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.testkit.Watchdog;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Fields whose values are those of an earlier run: a later one has computed them inside a loop. */
class OldValuesTest {
    private static final Grid GRID = Grid.of(6, 5).ghosts(1);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> U = Tag.cell("U");
    private static final Tag<Cell> V = Tag.cell("V");
    private static final Tag<Cell> X = Tag.cell("X");
    private static final Tag<Faces> W = Tag.faces("W");

    private static ExpressionTree tree() {
        return Model.of(GRID)
                .source(T)
                .define(U, T.times(2))
                .define(V, U.plus(1))
                .tree(V);
    }

    private static void withFields(Consumer<FieldStore> test) {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields, 1);
            test.accept(fields);
        }
    }

    private static void set(FieldStore fields, double value) {
        fields.set(T, (x, y, z) -> value);
    }

    /** Runs the tree that stores U, then with other values the one that does not. */
    private static void runBoth(FieldStore fields) {
        set(fields, 1);
        tree().keep(U).compile(fields).run();
        assertEquals(2, fields.values(U)[0]);
        set(fields, 100);
        tree().compile(fields).run();
        assertEquals(201, fields.values(V)[0]);
    }

    private static void assertOld(Executable look) {
        IllegalStateException e = assertThrows(IllegalStateException.class, look);
        assertMentions(e, "\"U\"", "computed inside the loops that need it", "ExpressionTree.keep gives it a field");
    }

    @Test
    void allThatLooksAtOldValuesRefuses(@TempDir Path folder) {
        withFields(fields -> {
            runBoth(fields);
            assertOld(() -> fields.values(U));
            assertOld(() -> fields.values(fields.field(U)));
            assertOld(() -> fields.current(U, 0));
            assertOld(() -> fields.norm2(U));
            assertOld(() -> fields.sum(U));
            assertOld(() -> fields.min(U));
            assertOld(() -> fields.max(U));
            assertOld(() -> fields.firstNotFinite(fields.field(U)));
            assertOld(() -> fields.image(U, Slice.z(0), folder.resolve("U.png")));
            assertOld(() -> fields.files().npy(U, folder.resolve("U.npy")));
            assertOld(() -> {
                try (CheckpointWriter out = CheckpointWriter.create(folder.resolve("U.checkpoint"), "test")) {
                    fields.files().save(out, U);
                }
            });
        });
    }

    /**
     * Reads U and computes twice as much.
     *
     * @param after what is computed before; it is not looked at
     * @param begun called when all that is there
     */
    private record ReaderOfU(Tag<Cell> result, Tag<Cell> after, Runnable begun) implements Expression {
        @Override
        public void advertise(Dependents dependents) {
            dependents.reads(U).reads(after).computes(result);
        }

        @Override
        public Evaluation bind(Bindings bindings) {
            Values its = bindings.reads(U);
            bindings.reads(after);
            Results results = bindings.computes(result);
            return run -> {
                begun.run();
                for (int y = 0; y < 5; y++) {
                    for (int x = 0; x < 6; x++) {
                        results.set(x, y, 0, 2 * its.get(x, y, 0));
                    }
                }
            };
        }
    }

    /** The loops of a tree read what its own loops have computed, in spite of other trees that run meanwhile. */
    @Test
    void aTreeThatComputesTheSameElsewhereDisturbsNoOther() {
        withFields(fields -> {
            Tag<Cell> own = Tag.cell("own");
            Tag<Cell> behindOwn = Tag.cell("behind own");
            CompiledGraph fused = tree().compile(fields);
            AtomicReference<@Nullable Thread> other = new AtomicReference<>();
            CountDownLatch over = new CountDownLatch(1);
            Runnable meanwhile = () -> {
                other.set(Thread.ofPlatform().start(() -> {
                    fused.run();
                    over.countDown();
                }));
                Watchdog.await(over, "the other tree");
            };
            CompiledGraph stored = Model.of(GRID)
                    .source(T)
                    .define(U, T.times(2))
                    .define(new ReaderOfU(own, T, meanwhile))
                    .define(X, U.plus(own))
                    .define(new ReaderOfU(behindOwn, X, () -> {}))
                    .define(Tag.cell("all"), X.plus(behindOwn))
                    .tree(Tag.cell("all"), X)
                    .keep(U)
                    .compile(fields);
            stored.run();
            assertEquals(6, fields.values(X)[0]);
            assertEquals(10, fields.values(Tag.cell("all"))[0]);
        });
    }

    @Test
    void loopsThatReadOldValuesRefuse() {
        withFields(fields -> {
            runBoth(fields);
            TaskGraph graph = fields.session().graph();
            ExpressionTree reader =
                    Model.of(GRID).source(U).define(X, U.plus(1)).tree(X);
            CompiledGraph recorded = reader.compile(fields);
            assertOld(() -> Assignment.of(fields, X, U.plus(1)).submit(graph));
            assertOld(() -> reader.submit(fields, graph));
            Boundaries walls = Boundaries.of(fields, U)
                    .on(Side.X_LOW, Condition.periodic())
                    .on(Side.X_HIGH, Condition.periodic())
                    .on(Side.Y_LOW, Condition.periodic())
                    .on(Side.Y_HIGH, Condition.periodic());
            assertOld(() -> walls.submit(graph, 0));
            Throwable e = assertThrows(TaskFailedException.class, recorded::run);
            assertMentions(e, "\"U\"", "computed inside the loops that need it");
            tree().keep(U).compile(fields).run();
            recorded.run();
            assertEquals(201, fields.values(X)[0]);
        });
    }

    @Test
    void aFieldThatWasAskedForAndNeverWrittenSaysSo() {
        withFields(fields -> {
            fields.field(U);
            tree().compile(fields).run();
            assertOld(() -> fields.values(U));
        });
    }

    @Test
    void graphsThatRunInTurnSayForEachRun() {
        withFields(fields -> {
            CompiledGraph fused = tree().compile(fields);
            CompiledGraph keeps = tree().keep(U).compile(fields);
            keeps.run();
            assertEquals(2, fields.values(U)[0]);
            for (int i = 2; i < 5; i++) {
                set(fields, i);
                fused.run();
                assertOld(() -> fields.values(U));
                keeps.run();
                assertEquals(2 * i, fields.values(U)[0]);
            }
            tree().compile(fields);
            assertEquals(8, fields.values(U)[0], "recorded, but not run");
        });
    }

    @Test
    void submissionsCountInTheirOrder() {
        withFields(fields -> {
            tree().keep(U).submit(fields, fields.session().graph());
            tree().submit(fields, fields.session().graph());
            assertOld(() -> fields.values(U));
            set(fields, 3);
            tree().submit(fields, fields.session().graph());
            tree().keep(U).submit(fields, fields.session().graph());
            assertEquals(6, fields.values(U)[0]);
        });
    }

    @Test
    void temporariesInSharedMemoryAreOld() {
        ExpressionTree tree = Model.of(GRID)
                .source(T)
                .define(U, T.times(2))
                .define(V, U.plus(U.times(U)))
                .tree(V)
                .fuse(false);
        withFields(fields -> {
            tree.keep(U).compile(fields).run();
            set(fields, 100);
            tree.compile(fields).run();
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> fields.values(U));
            assertMentions(e, "\"U\" is in memory that other temporaries use, too: ExpressionTree.keep");
        });
    }

    @Test
    void componentsOfVectorsAreOld() {
        ExpressionTree tree =
                Model.of(GRID).source(T).define(W, faces(T)).define(V, div(W)).tree(V);
        withFields(fields -> {
            tree.keep(W).compile(fields).run();
            tree.compile(fields).run();
            assertThrows(IllegalStateException.class, () -> fields.values(fields.field(W, 1)));
            fields.set(W, (x, y, z) -> 5);
            assertEquals(5, fields.values(fields.field(W, 1))[0]);
        });
    }

    @Test
    void writesMakeAFieldNew(@TempDir Path folder) {
        Path file = folder.resolve("U.checkpoint");
        withFields(fields -> {
            runBoth(fields);
            fields.set(U, (x, y, z) -> 7);
            assertEquals(7, fields.values(U)[0]);
            assertDoesNotThrow(() -> {
                try (CheckpointWriter out = CheckpointWriter.create(file, "test")) {
                    fields.files().save(out, U);
                    out.commit();
                }
            });

            runBoth(fields);
            assertDoesNotThrow(() -> {
                try (CheckpointReader in = CheckpointReader.open(file, "test")) {
                    fields.files().restore(in, U);
                }
            });
            assertEquals(7, fields.values(U)[0]);

            runBoth(fields);
            Assignment.of(fields, U, T.plus(1)).submit(fields.session().graph());
            assertEquals(101, fields.values(U)[0]);
        });
    }

    @Test
    void writesGiveMemoryToAFieldThatATreeComputedWithout() {
        withFields(fields -> {
            tree().compile(fields).run();
            assertOld(() -> Assignment.of(fields, U, U.plus(1)));
            assertOld(() -> fields.values(U));
            fields.set(U, (x, y, z) -> 7);
            assertEquals(7, fields.values(U)[0]);
        });
        withFields(fields -> {
            tree().compile(fields).run();
            Assignment.of(fields, U, T.plus(1)).submit(fields.session().graph());
            assertEquals(2, fields.values(U)[0]);
            tree().compile(fields).run();
            assertOld(() -> fields.values(U));
        });
    }

    @Test
    void aCheckpointGivesMemoryToAFieldThatATreeComputedWithout(@TempDir Path folder) {
        Path file = folder.resolve("U.checkpoint");
        withFields(fields -> assertDoesNotThrow(() -> {
            fields.set(U, (x, y, z) -> 7);
            try (CheckpointWriter out = CheckpointWriter.create(file, "test")) {
                fields.files().save(out, U);
                out.commit();
            }
        }));
        withFields(fields -> {
            tree().compile(fields).run();
            assertDoesNotThrow(() -> {
                try (CheckpointReader in = CheckpointReader.open(file, "test")) {
                    fields.files().restore(in, U);
                }
            });
            assertEquals(7, fields.values(U)[0]);
        });
    }

    @Test
    void runsThatStoreAFieldGiveItMemory() {
        withFields(fields -> {
            tree().compile(fields).run();
            TreeRuns runs = TreeRuns.of(tree().keep(U), fields, TargetPolicy.host());
            tree().submit(fields, fields.session().graph());
            runs.run();
            assertEquals(2, fields.values(U)[0]);
        });
    }

    @Test
    void swappedFieldsTakeTheirAgeAlong() {
        Tag<Cell> other = Tag.cell("other");
        withFields(fields -> {
            runBoth(fields);
            fields.set(other, (x, y, z) -> 9);
            fields.swap(U, other);
            assertEquals(9, fields.values(U)[0]);
            assertOld(() -> fields.values(other));
        });
    }

    @Test
    void loopsOnDevicesMakeFieldsOldToo() {
        try (Session session = Session.builder().workers(1).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields, 1);
            CompiledGraph keeps =
                    tree().keep(U).on(ExecutionTarget.EMULATED, U, V).compile(fields);
            CompiledGraph fused = tree().on(ExecutionTarget.EMULATED, V).compile(fields);
            keeps.run();
            set(fields, 100);
            fused.run();
            assertOld(() -> fields.values(U));
            keeps.run();
            assertEquals(200, fields.values(U)[0]);
        }
    }

    /** A run in flight writes the field: the look waits for it, and so do its values. */
    @Test
    void aLookWaitsForTheRunThatGivesTheFieldValues() {
        withFields(fields -> {
            CompiledGraph stored = tree().keep(U).compile(fields);
            CompiledGraph fused = tree().compile(fields);
            for (int i = 0; i < 100; i++) {
                stored.run();
                fused.run();
                stored.start();
                assertEquals(2, fields.values(U)[0]);
                stored.join();
            }
        });
    }
}
