package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.program.WholeFile;
import dev.jacquard.components.run.Program.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One trace of all ranks: each is a process of the document. */
final class RankTraces {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final int TAG = 1;

    private RankTraces() {}

    /**
     * Collective: rank 0 writes the events of all ranks. A failure to write the file is reported when the results are
     * in place.
     */
    static void write(Communicator world, String events, Surroundings its) throws InterruptedException {
        if (world.rank() > 0) {
            world.sendValue(TEXT, events, 0, TAG);
            return;
        }
        List<String> all = new ArrayList<>();
        all.add(events);
        for (int rank = 1; rank < world.size(); rank++) {
            all.add(world.receiveValue(TEXT, rank, TAG));
        }
        Path file = Objects.requireNonNull(its.trace());
        try {
            WholeFile.write(file, out -> ChromeTrace.writeAll(all, out));
        } catch (IOException e) {
            its.output().whenCommitted(() -> {
                throw new IOException("the trace " + e.getMessage(), e);
            });
        }
    }
}
