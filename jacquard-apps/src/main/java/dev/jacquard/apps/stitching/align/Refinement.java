package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Phase 2: which pairs must be measured again, and where. Immutable; the searches of one round are independent of each
 * other and can run anywhere.
 *
 * <pre>{@code
 * Refinement refinement = Refinement.start(grid, prior, measurements);
 * while (!refinement.searches().isEmpty()) {
 *     refinement = refinement.next(refinement.searches().stream()
 *             .map(search -> searcher.run(search, tiles.get(search.pair().from()), tiles.get(search.pair().to())))
 *             .toList());
 * }
 * List<Verdict> verdicts = refinement.verdicts();
 * }</pre>
 *
 * <p>The first round searches pairs that are uncertain or contradict the stage, in the window that the stage allows.
 * Where nothing is certain in a direction, that is all displacements that neighbours can have, which costs much: it is
 * done for some pairs only, spread over the plate. Later rounds, four in all at most, search pairs that are still
 * uncertain where the stage turns out to reach farther than was looked.
 */
public final class Refinement {
    /** A pair to be measured again, in phase 2; {@link Searcher} does it. Immutable. */
    public static final class Search {
        final Window window;
        /** The measurement before, which the search must beat if it was certain. */
        final Measurement earlier;

        Search(Measurement earlier, Window window) {
            this.earlier = earlier;
            this.window = window;
        }

        public Pair pair() {
            return earlier.pair();
        }
    }

    /**
     * The verdict on a pair.
     *
     * @param trusted whether the displacement is certain: its images speak for it and for no other one, and neither the
     *     stage nor the loops of neighbours contradict it
     * @param reason why the pair is not trusted; empty when it is
     */
    public record Verdict(Measurement measurement, boolean trusted, String reason) {}

    private static final int ROUNDS = 4;
    /** In a grid with more pairs than this in a direction, one alone says nothing about the stage. */
    private static final int MOST_ALONE = 2;
    /** The number of pairs that show a stage of which nothing is known. */
    private static final int PROBES = 48;

    private final Grid grid;
    private final List<Measurement> measurements;
    private final StageModel model;
    private final List<Search> searches;
    private final int round;

    private Refinement(Grid grid, List<Measurement> measurements, StageModel model, List<Search> searches, int round) {
        this.grid = grid;
        this.measurements = measurements;
        this.model = model;
        this.searches = searches;
        this.round = round;
    }

    /** Begins with the results of phase 1, in the order of {@link Grid#pairs()}. */
    public static Refinement start(Grid grid, StagePrior prior, List<Measurement> measurements) {
        StageModel model = StageModel.estimate(prior, measurements);
        List<Search> searches = new ArrayList<>();
        int spacing = 1 + measurements.size() / 2 / PROBES;
        Map<Direction, Integer> seen = new EnumMap<>(Direction.class);
        for (Measurement measured : measurements) {
            Direction direction = measured.pair().direction();
            Window window = model.window(direction);
            boolean settled = measured.certain() && model.allows(measured);
            boolean spared = seen.merge(direction, 1, Integer::sum) % spacing != 0
                    && !model.steps(direction).known();
            if (!settled && !spared && !window.isEmpty()) {
                searches.add(new Search(measured, window));
            }
        }
        return new Refinement(grid, List.copyOf(measurements), model, searches, 1);
    }

    /** Phase 1 as it is: nothing will be searched. */
    public static Refinement none(Grid grid, StagePrior prior, List<Measurement> measurements) {
        return new Refinement(
                grid, List.copyOf(measurements), StageModel.estimate(prior, measurements), List.of(), ROUNDS);
    }

    /** The stage as known so far. */
    StageModel model() {
        return model;
    }

    /** The searches of this round; none when the refinement is complete. */
    public List<Search> searches() {
        return List.copyOf(searches);
    }

    /** Goes on with the results, in the order of {@link #searches()}. */
    public Refinement next(List<Measurement> found) {
        if (found.size() != searches.size()) {
            throw new IllegalArgumentException(
                    "there are " + searches.size() + " searches but " + found.size() + " results");
        }
        List<Measurement> merged = merge(found);
        StageModel better = StageModel.estimate(model.prior(), merged);
        List<Search> left = new ArrayList<>();
        for (Measurement measured : merged) {
            Direction direction = measured.pair().direction();
            boolean discovered =
                    better.steps(direction).known() && !model.steps(direction).known();
            Window window = better.window(direction);
            boolean farther = discovered || !model.window(direction).contains(window);
            boolean settled = measured.certain() && better.allows(measured);
            if (round < ROUNDS && farther && !settled && !window.isEmpty()) {
                left.add(new Search(measured, window));
            }
        }
        return new Refinement(grid, merged, better, left, round + 1);
    }

    /** The verdict on each pair, in the order of the pairs. */
    public List<Verdict> verdicts() {
        boolean[] certain = new boolean[measurements.size()];
        for (int i = 0; i < certain.length; i++) {
            Measurement measured = measurements.get(i);
            Direction direction = measured.pair().direction();
            certain[i] = measured.certain() && model.allows(measured) && !standsAlone(direction);
        }
        boolean[] trusted = LoopClosures.judge(grid, measurements, certain);
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < trusted.length; i++) {
            Measurement measured = measurements.get(i);
            verdicts.add(new Verdict(measured, trusted[i], trusted[i] ? "" : reason(measured)));
        }
        return verdicts;
    }

    private String reason(Measurement measured) {
        if (!measured.doubt().isNone()) {
            return measured.doubt().toString();
        }
        if (!measured.certain()) {
            return measured.correlation() == 0 ? "blank" : "weak";
        }
        if (!model.allows(measured)) {
            return "contradicts the stage";
        }
        return standsAlone(measured.pair().direction()) ? "nothing confirms it" : "contradicts its neighbours";
    }

    /** Returns true if one measurement of many makes the stage that then allows it: nothing confirms either. */
    private boolean standsAlone(Direction direction) {
        long pairs = measurements.stream()
                .filter(measured -> measured.pair().direction() == direction)
                .count();
        return model.steps(direction).support() == 1 && pairs > MOST_ALONE;
    }

    /** A certain measurement stays unless the result in its place is certain too, and then beat it. */
    private List<Measurement> merge(List<Measurement> found) {
        Map<Pair, Measurement> byPair = new HashMap<>();
        for (int i = 0; i < found.size(); i++) {
            byPair.put(searches.get(i).pair(), found.get(i));
        }
        return measurements.stream()
                .map(earlier -> {
                    Measurement result = byPair.getOrDefault(earlier.pair(), earlier);
                    return earlier.certain() && !result.certain() ? earlier : result;
                })
                .toList();
    }
}
