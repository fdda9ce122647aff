package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Completion;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random trees with random assignments, memory rules, little memory and losses, against the definitions. */
@Timeout(300)
class RandomAssignmentsTest {
    private static final int SEEDS = Rounds.some(Integer.getInteger("assignments", 360));
    private static final int RUNS = 7;
    private static final List<MemoryPlan.Policy> POLICIES = List.of(MemoryPlan.Policy.values());

    private static final List<FaultPlan.Kind> REFUSALS =
            List.of(FaultPlan.Kind.LAUNCH, FaultPlan.Kind.COPY, FaultPlan.Kind.ALLOCATION);

    /** Some trees: losses and limits count if they were met. */
    private int losses;

    private int splitLosses;
    private int evictions;
    private long exact;

    /** Targets that are drawn: the policy is asked once for each recording. */
    private static TargetPolicy drawn(Random random) {
        return step -> {
            List<ExecutionTarget> targets = new ArrayList<>();
            List<String> reasons = new ArrayList<>();
            for (TargetPolicy.Work work : step.works()) {
                targets.add(work.eligible().get(random.nextInt(work.eligible().size())));
                reasons.add(work.name() + " on " + targets.getLast());
            }
            return new TargetPolicy.Choice(targets, reasons);
        };
    }

    /**
     * @param tight true if devices may have room for some fields alone
     * @param refusing true if devices refuse something once
     */
    private static SessionBuilder session(Random random, boolean tight, boolean refusing) {
        SessionBuilder builder = Session.builder().workers(1 + random.nextInt(3));
        int devices = 1 + random.nextInt(2);
        for (int i = 0; i < devices; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i);
            if (random.nextInt(3) == 0) {
                offer = offer.withoutPeers();
            }
            FaultPlan plan = FaultPlan.NONE;
            if (random.nextBoolean()) {
                plan = plan.at(FaultPlan.Kind.LOSS, 1 + random.nextInt(40));
            }
            if (refusing) {
                plan = plan.at(REFUSALS.get(random.nextInt(REFUSALS.size())), 1 + random.nextInt(40));
            }
            offer = offer.faults(plan);
            long field = 8 * (DrawnModel.WIDTH + 2 * DrawnModel.GHOSTS) * (DrawnModel.ROWS + 2 * DrawnModel.GHOSTS);
            builder.device(offer, tight && random.nextInt(3) == 0 ? (2 + random.nextInt(4)) * field : 1 << 20);
        }
        return builder;
    }

    /** Another tree on the host, in whose memory temporaries of the first one lie. */
    private record Neighbour(FieldStore fields, CompiledGraph graph) {
        private static final Tag<Cell> A = Tag.cell("a");
        private static final Tag<Cell> B = Tag.cell("b");
        private static final Tag<Cell> C = Tag.cell("c");

        static Neighbour of(FieldStore fields) {
            ExpressionTree tree = Model.of(fields.grid())
                    .source(DrawnModel.T)
                    .define(A, DrawnModel.T.times(2))
                    .define(B, A.plus(1))
                    .define(C, B.times(B))
                    .tree(C)
                    .fuse(false)
                    .on(ExecutionTarget.HOST, A, B, C);
            return new Neighbour(fields, tree.compile(fields));
        }

        void look(String what) {
            assertEquals(3, graph.report().done(), what);
            double b = 2 * DrawnModel.set(0.5, 0.5) + 1;
            assertEquals(b * b, fields.values(C)[0], what);
        }
    }

    /** Runs that come one after the other, until they are stopped. */
    private static final class EndlessRuns implements Completion {
        private final CompiledGraph graph;
        private volatile boolean stops;
        private volatile boolean ended;

        EndlessRuns(CompiledGraph graph) {
            this.graph = graph;
            graph.start(this);
        }

        /** Waits until none is in flight, and none is about to begin. */
        void stop() {
            stops = true;
            Watchdog.until(
                    () -> {
                        graph.join();
                        return ended;
                    },
                    "the last run");
        }

        @Override
        public void over(WorkerContext worker, @Nullable RuntimeException failure) {
            if (!stops && failure == null) {
                graph.start(this);
            } else {
                ended = true;
            }
        }
    }

    @Test
    void allAssignmentsGiveWhatTheDefinitionsSay() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            DrawnModel model = new DrawnModel(random);
            Map<Tag<Cell>, DrawnModel.Known> roots = model.roots(random);
            MemoryPlan.Policy memory = POLICIES.get(random.nextInt(POLICIES.size()));
            ExpressionTree tree = model.model
                    .tree(List.copyOf(roots.keySet()))
                    .fuse(random.nextBoolean())
                    .fields(memory);
            boolean splits = random.nextInt(3) == 0;
            if (splits) {
                tree = tree.split(ExecutionTarget.EMULATED, 0.45 + 0.1 * random.nextDouble());
            }
            String what = "seed " + seed + (splits ? ", split" : "") + "\n" + tree;
            boolean refusing = random.nextInt(3) == 0;
            try (Session session = session(random, !splits, refusing).open();
                    FieldStore fields = FieldStore.open(session, tree.grid())) {
                fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
                TreeRuns runs = TreeRuns.of(tree, fields, drawn(random));
                Neighbour beside = random.nextInt(3) == 0 ? Neighbour.of(fields) : null;
                boolean counts = !refusing && beside == null;
                for (int run = 0; run < RUNS; run++) {
                    EndlessRuns others = beside == null ? null : new EndlessRuns(beside.graph);
                    run(runs, session, counts, what);
                    if (beside != null && others != null) {
                        others.stop();
                        beside.look(what);
                    }
                    switch (random.nextInt(6)) {
                        case 0 -> runs.policy(drawn(random));
                        case 1 -> runs.policy(TargetPolicy.hybrid());
                        case 2 ->
                            runs.policy(random.nextBoolean() ? TargetPolicy.roundRobin() : TargetPolicy.minimumLoad());
                        default -> roots.forEach((tag, its) -> compare(runs, fields, tag, its, what));
                    }
                }
                run(runs, session, counts, what);
                roots.forEach((tag, its) -> compare(runs, fields, tag, its, what));
                int lost = session.data().faults().lost().size();
                losses += lost;
                splitLosses += splits ? lost : 0;
                session.data().transfers().spaces().forEach(space -> {
                    evictions += (int) space.evictions();
                    assertTrue(space.peak() <= space.limit(), what);
                });
            }
        }
        assertTrue(
                SEEDS < 80 || (losses > 5 && splitLosses > 2 && evictions > 5 && exact > 10),
                losses + " losses, " + splitLosses + " of split trees, " + evictions + " evictions, " + exact
                        + " runs with exact counts");
    }

    /**
     * Runs, and where they count holds the copies against the prefetches, if nothing was lost, evicted, or recorded
     * meanwhile.
     */
    private void run(TreeRuns runs, Session session, boolean counts, String what) {
        List<String> ahead = runs.prefetches();
        long copies = session.data().transfers().copies();
        long seen = disturbances(session);
        runs.run();
        long moved = session.data().transfers().copies() - copies;
        if (counts && !ahead.isEmpty() && runs.prefetches().equals(ahead) && disturbances(session) == seen) {
            long sources = ahead.stream().filter(one -> one.startsWith("T to ")).count();
            long direct = session.data().transfers().links().stream()
                    .filter(link ->
                            link.from().startsWith("emulated") && link.to().startsWith("emulated"))
                    .count();
            if (direct > 0 || session.devices(ExecutionTarget.EMULATED).size() < 2) { // else a copy may be two
                assertEquals(ahead.size() - sources, moved, () -> ahead + "\n" + what);
                exact++;
            }
        }
    }

    private static long disturbances(Session session) {
        return session.data().faults().lost().size()
                + session.data().transfers().spaces().stream()
                        .mapToLong(space -> space.evictions())
                        .sum();
    }

    private static void compare(TreeRuns runs, FieldStore fields, Tag<Cell> tag, DrawnModel.Known its, String what) {
        double[] found;
        try {
            found = fields.values(tag);
        } catch (RuntimeException e) { // lost between the run and the look
            runs.run();
            found = fields.values(tag);
        }
        for (int y = 0; y < DrawnModel.ROWS; y++) {
            for (int x = 0; x < DrawnModel.WIDTH; x++) {
                assertEquals(
                        its.value().at(x, y),
                        found[DrawnModel.WIDTH * y + x],
                        tag + " at " + x + ", " + y + "\n" + what);
            }
        }
    }
}
