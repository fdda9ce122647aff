package dev.jacquard.core.testing.random;

import dev.jacquard.memory.device.DeviceOffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Some seeds in a row, for tests of this and other modules. */
public final class Slice {
    private static final int LIMIT_SECONDS = 30;

    private Slice() {}

    /**
     * Runs the programs of {@code count} seeds.
     *
     * @param step from seed to seed
     * @param offered devices besides emulated ones
     * @param folder for files
     * @return what their sessions did
     * @throws AssertionError at the first that fails, with the program
     */
    public static Tally run(long from, int count, int step, List<? extends DeviceOffer> offered, Path folder) {
        LongStream seeds = LongStream.iterate(from, seed -> seed + step).limit(count);
        return run(seeds, Set.of(), offered, folder);
    }

    /**
     * Runs the programs of {@code count} seeds, all of which have {@code features}.
     *
     * @param offered devices besides emulated ones
     * @param folder for files
     * @return what their sessions did
     * @throws AssertionError at the first that fails, with the program
     */
    public static Tally having(
            Set<Feature> features, long from, int count, List<? extends DeviceOffer> offered, Path folder) {
        return run(LongStream.range(from, from + count), features, offered, folder);
    }

    /** Runs {@code count} programs from a seed on that have {@code features} and run under {@code policy}. */
    static Tally under(String policy, Set<Feature> features, long from, int count, Path folder) {
        LongStream seeds = LongStream.iterate(from, seed -> seed + 1)
                .filter(seed -> Program.draw(seed, enabled(List.of()), features)
                        .setting()
                        .policy()
                        .name()
                        .equals(policy))
                .limit(count);
        return run(seeds, features, List.of(), folder);
    }

    /** Runs programs that have {@code features}, whose tasks components submit. */
    public static Tally having(Set<Feature> features, long from, int count, Path folder, Components components) {
        Fronts fronts = new Fronts(null, components, null);
        return run(LongStream.range(from, from + count), features, List.of(), folder, fronts);
    }

    /** Runs programs that have {@code features}, whose tasks the bodies of streams submit. */
    public static Tally having(Set<Feature> features, long from, int count, Path folder, Streams streams) {
        Fronts fronts = new Fronts(null, null, streams);
        return run(LongStream.range(from, from + count), features, List.of(), folder, fronts);
    }

    /** Runs programs that have {@code features}, with loops that {@code formulas} makes. */
    public static Tally having(
            Set<Feature> features,
            long from,
            int count,
            List<? extends DeviceOffer> offered,
            Path folder,
            Formulas formulas) {
        Fronts fronts = new Fronts(formulas, null, null);
        return run(LongStream.range(from, from + count), features, offered, folder, fronts);
    }

    private static Tally run(
            LongStream seeds, Set<Feature> features, List<? extends DeviceOffer> offered, Path folder) {
        return run(seeds, features, offered, folder, Fronts.NONE);
    }

    private static Tally run(
            LongStream seeds, Set<Feature> features, List<? extends DeviceOffer> offered, Path folder, Fronts fronts) {
        Set<Feature> enabled = enabled(offered);
        fronts.limit(enabled);
        try (Runner runner = new Runner(offered, folder, LIMIT_SECONDS, fronts)) {
            seeds.forEach(seed -> {
                Program program = Program.draw(seed, enabled, features);
                List<Violation> violations = runner.run(program);
                if (!violations.isEmpty()) {
                    throw new AssertionError(violations + "\n" + program.text() + again(program, features));
                }
            });
            return runner.tally();
        }
    }

    private static String again(Program program, Set<Feature> always) {
        String names = String.join(",", always.stream().map(Feature::toString).toList());
        return new Failure(program, program, null).again(names.isEmpty() ? "" : " --always " + names, Set.of());
    }

    private static Set<Feature> enabled(List<? extends DeviceOffer> offered) {
        Set<Feature> enabled = EnumSet.allOf(Feature.class);
        if (offered.isEmpty()) {
            enabled.remove(Feature.REAL);
        } else {
            enabled.remove(Feature.PLAYED); // which uses no devices
        }
        return enabled;
    }
}
