package dev.jacquard.core.testing.random;

import java.util.Map;

/**
 * Programs that are dense in kernels on devices: few data, most tasks kernels on one device, so that many a kernel
 * waits for nothing but others there. What keeps devices from being told ahead is drawn less often than elsewhere, and
 * what goes wrong meanwhile more often.
 */
final class Dense {
    /** In how many of them a feature is drawn, where that differs. */
    private static final Map<Feature, Double> SHARES = Map.ofEntries(
            Map.entry(Feature.DATA, 1.0),
            Map.entry(Feature.DEVICES, 1.0),
            Map.entry(Feature.KERNELS, 1.0),
            Map.entry(Feature.CHECKING, 0.03),
            Map.entry(Feature.CANCEL, 0.4),
            Map.entry(Feature.FAULTS, 0.4),
            Map.entry(Feature.SUBMITTERS, 0.4),
            Map.entry(Feature.WINDOW, 0.1),
            Map.entry(Feature.ADDS, 0.2),
            Map.entry(Feature.UNORDERED, 0.1),
            Map.entry(Feature.BARRIERS, 0.1),
            Map.entry(Feature.LIMITS, 0.05));
    /** How many of their top tasks are kernels. */
    private static final double KERNELS = 0.85;
    /** How many of these name the device that most of them name. */
    private static final double SAME = 0.75;

    private static final double DATA = 0.9;
    private static final int FEWEST = 10;
    private static final int MOST = 50;
    private static final int MOST_STORES = 4;

    private Dense() {}

    /** Whether the program of {@code dice} is one of them. */
    static boolean is(Dice dice) {
        return dice.drawn(Feature.DENSE, Feature.DENSE.share)
                && dice.enabled(Feature.DATA)
                && dice.enabled(Feature.DEVICES)
                && dice.enabled(Feature.KERNELS);
    }

    static double share(Feature feature) {
        return SHARES.getOrDefault(feature, feature.share);
    }

    static int stores(Dice dice) {
        return 1 + dice.below(MOST_STORES);
    }

    static int size(Dice dice) {
        return FEWEST + dice.below(MOST);
    }

    static boolean isData(Dice its) {
        return its.of(Feature.DENSE).at(1).chance(DATA);
    }

    static boolean isKernel(Dice its) {
        return its.of(Feature.DENSE).at(2).chance(KERNELS);
    }

    /** The device of a task with a kernel. */
    static int target(Dice dice, Dice its) {
        Dice places = its.of(Feature.DENSE).at(3);
        return places.chance(SAME)
                ? dice.of(Feature.DENSE).at(4).below(8)
                : places.chance(0.5) ? places.below(8) : Job.Where.ANYWHERE;
    }

    /** Long ones let a queue grow behind them. */
    static int pause(Dice its) {
        Dice time = its.of(Feature.DENSE).at(5);
        int pick = time.below(20);
        return pick < 9 ? 0 : pick < 16 ? time.below(500) : 3_000;
    }
}
