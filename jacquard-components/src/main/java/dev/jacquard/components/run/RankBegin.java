package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.program.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of rank 0 before a run.
 *
 * @param resumed the number of the savepoint from which the run goes on; 0 if it begins
 * @param first the number of the savepoint that is made first
 * @param placement the rank of each part; empty if each runs on all ranks
 */
record RankBegin(long resumed, long first, List<Integer> placement) {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final String REFUSED = "!";

    RankBegin {
        placement = List.copyOf(placement);
    }

    /**
     * Collective: returns the decision of rank 0.
     *
     * @param decide called on rank 0
     * @throws InputException on all ranks, if rank 0 throws one
     */
    static RankBegin agree(Communicator world, Supplier<RankBegin> decide) throws InterruptedException {
        @Nullable String text = null;
        if (world.rank() == 0) {
            try {
                text = decide.get().text();
            } catch (InputException e) {
                world.broadcastValue(TEXT, REFUSED + e.getMessage(), 0);
                throw e;
            }
        }
        String its = world.broadcastValue(TEXT, text, 0);
        if (its.startsWith(REFUSED)) {
            throw new InputException(its.substring(REFUSED.length()));
        }
        return of(its);
    }

    private String text() {
        return resumed + " " + first
                + placement.stream().map(rank -> " " + rank).collect(Collectors.joining());
    }

    private static RankBegin of(String text) {
        String[] words = text.split(" ", -1);
        List<Integer> placement = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            placement.add(Integer.parseInt(words[i]));
        }
        return new RankBegin(Long.parseLong(words[0]), Long.parseLong(words[1]), placement);
    }
}
