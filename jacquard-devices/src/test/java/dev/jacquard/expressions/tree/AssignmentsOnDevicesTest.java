package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random trees with their expressions on all devices of this machine, an emulated one and the host together. */
@Timeout(300)
class AssignmentsOnDevicesTest {
    private static final int SEEDS = Rounds.some(Integer.getInteger("assignments", 30));

    private static TargetPolicy drawn(Random random) {
        return step -> {
            List<ExecutionTarget> targets = new ArrayList<>();
            step.works()
                    .forEach(work -> targets.add(
                            work.eligible().get(random.nextInt(work.eligible().size()))));
            return new TargetPolicy.Choice(
                    targets, targets.stream().map(ExecutionTarget::name).toList());
        };
    }

    @Test
    void allAssignmentsGiveTheBytesOfTheHost() {
        List<DeviceOffer> offers = new ArrayList<>(Devices.discover().offers());
        offers.add(EmulatedDevice.offer("emulated0"));
        Set<ExecutionTarget> used = new HashSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            DrawnModel model = new DrawnModel(random);
            Map<Tag<Cell>, DrawnModel.Known> roots = model.roots(random);
            ExpressionTree tree = model.model.tree(List.copyOf(roots.keySet())).fuse(random.nextBoolean());
            SessionBuilder builder = Session.builder().workers(2);
            offers.forEach(builder::device);
            try (Session session = builder.open();
                    FieldStore fields = FieldStore.open(session, tree.grid())) {
                fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
                List<TargetPolicy> policies =
                        List.of(drawn(random), TargetPolicy.roundRobin(), TargetPolicy.hybrid(), drawn(random));
                TreeRuns runs = TreeRuns.of(tree, fields, policies.getFirst());
                for (TargetPolicy policy : policies) {
                    runs.policy(policy);
                    runs.run();
                    used.addAll(runs.targets().values());
                    compare(fields, roots, "seed " + seed + " " + runs.targets() + "\n" + tree);
                }
            }
        }
        assertTrue(used.size() > offers.size(), used::toString);
    }

    @Test
    void splitTreesHaveTheBytesOfTheHost() {
        List<DeviceOffer> offers = new ArrayList<>(Devices.discover().offers());
        offers.add(EmulatedDevice.offer("emulated0"));
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            DrawnModel model = new DrawnModel(random);
            Map<Tag<Cell>, DrawnModel.Known> roots = model.roots(random);
            DeviceOffer offer = offers.get(seed % offers.size());
            ExpressionTree tree = model.model
                    .tree(List.copyOf(roots.keySet()))
                    .fuse(random.nextBoolean())
                    .split(ExecutionTarget.named(offer.name()), 0.2 + 0.6 * random.nextDouble());
            try (Session session = Session.builder().workers(2).device(offer).open();
                    FieldStore fields = FieldStore.open(session, tree.grid())) {
                fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
                CompiledGraph graph = tree.compile(fields);
                graph.run();
                graph.run();
                compare(fields, roots, "seed " + seed + " on " + offer.name() + "\n" + tree);
            }
        }
    }

    private static void compare(FieldStore fields, Map<Tag<Cell>, DrawnModel.Known> roots, String what) {
        roots.forEach((tag, its) -> {
            double[] found = fields.values(tag);
            for (int y = 0; y < 6; y++) {
                for (int x = 0; x < 9; x++) {
                    assertEquals(its.value().at(x, y), found[9 * y + x], tag + " at " + x + ", " + y + "\n" + what);
                }
            }
        });
    }
}
