package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.mesh.Plan.Loop;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one rank for rank 0: the reports of its parts, how often they ran and how long, and the passes of
 * loops with exits on this rank.
 *
 * @param parts by number: executions, nanoseconds, result and lines
 * @param loops by number: the state of their passes
 */
record RankResults(Map<Integer, Found> parts, Map<Integer, byte[]> loops) {
    private static final int TAG = 2;

    @SuppressWarnings("unchecked") // that of lists of numbers
    private static final Codec<List<Long>> BYTES = (Codec<List<Long>>)
            Codecs.standard().of(List.class, List.of(Codecs.standard().of(Long.class)));

    /**
     * The findings of one part.
     *
     * @param bytes of the values of its sources, in their order
     */
    record Found(long executions, long nanos, @Nullable Object result, Object lines, List<Long> bytes) {}

    /** Returns the findings of a rank. */
    static RankResults of(OpenedParts opened, Passes passes, List<Loop> loops, RankLinks links) {
        Map<Integer, Found> parts = new LinkedHashMap<>();
        for (int i = 0; i < opened.size(); i++) {
            if (links.isHere(i)) {
                OpenedPart part = opened.get(i);
                PartContext context = opened.context(i);
                parts.put(
                        i,
                        new Found(part.executions(), part.nanos(), context.result(), context.lines(), opened.bytes(i)));
            }
        }
        Map<Integer, byte[]> states = new LinkedHashMap<>();
        for (int i = 0; i < loops.size(); i++) {
            if (links.isHere(loops.get(i).exit())) {
                states.put(i, passes.state(i));
            }
        }
        return new RankResults(parts, states);
    }

    /**
     * Collective: rank 0 gets the findings of all ranks, and puts them into its parts.
     *
     * @param opened the parts of this rank
     */
    static void gather(Communicator world, OpenedParts opened, Passes passes, List<Loop> loops, RankLinks links)
            throws InterruptedException {
        if (world.rank() > 0) {
            world.sendValue(new OfRanks(opened.size(), loops.size()), of(opened, passes, loops, links), 0, TAG);
            return;
        }
        for (int rank = 1; rank < world.size(); rank++) {
            world.receiveValue(new OfRanks(opened.size(), loops.size()), rank, TAG)
                    .restore(opened, passes);
        }
    }

    /** Puts these into the parts of rank 0: its own parts of this rank were not executed. */
    void restore(OpenedParts opened, Passes passes) {
        parts.forEach((number, found) -> {
            opened.get(number).executed(found.executions, found.nanos);
            opened.context(number).restore(found.result, found.lines);
            opened.bytes(number, found.bytes);
        });
        loops.forEach(passes::state);
    }

    /**
     * The codec.
     *
     * @param parts the number of parts of the program
     * @param loops the number of its loops
     */
    record OfRanks(int parts, int loops) implements Codec<RankResults> {
        /** A number, the executions, the time, no result, the tag of its lines, no sources. */
        private static final int LEAST_PART = Integer.BYTES + 2 * Long.BYTES + 1 + 1 + Integer.BYTES;

        @Override
        public Class<RankResults> type() {
            return RankResults.class;
        }

        @Override
        public void write(RankResults value, Output to) throws IOException {
            to.writeInt(value.parts.size());
            for (Map.Entry<Integer, Found> each : value.parts.entrySet()) {
                to.writeInt(each.getKey());
                to.writeLong(each.getValue().executions);
                to.writeLong(each.getValue().nanos);
                Object result = each.getValue().result;
                to.writeBoolean(result != null);
                if (result != null) {
                    Findings.CODEC.write(result, to);
                }
                Findings.CODEC.write(each.getValue().lines, to);
                BYTES.write(each.getValue().bytes, to);
            }
            to.writeInt(value.loops.size());
            for (Map.Entry<Integer, byte[]> each : value.loops.entrySet()) {
                to.writeInt(each.getKey());
                to.writeInt(each.getValue().length);
                to.write(each.getValue());
            }
        }

        @Override
        public RankResults read(Input from) throws IOException {
            Map<Integer, Found> parts = new LinkedHashMap<>();
            int size = from.readLength(LEAST_PART);
            for (int i = 0; i < size; i++) {
                int part = number("a component", from.readInt(), this.parts);
                long executions = from.readLong();
                long nanos = from.readLong();
                Object result = from.readBoolean() ? Findings.CODEC.read(from) : null;
                Object lines = Findings.CODEC.read(from);
                parts.put(part, new Found(executions, nanos, result, lines, BYTES.read(from)));
            }
            Map<Integer, byte[]> loops = new LinkedHashMap<>();
            int states = from.readLength(2 * Integer.BYTES);
            for (int i = 0; i < states; i++) {
                int loop = number("a loop", from.readInt(), this.loops);
                byte[] state = new byte[from.readLength(1)];
                from.readFully(state);
                if (state.length == 0 || state.length % Long.BYTES != 0) {
                    throw new IOException("the passes of a loop have " + state.length
                            + " bytes; expected a multiple of " + Long.BYTES);
                }
                loops.put(loop, state);
            }
            return new RankResults(parts, loops);
        }

        private static int number(String of, int number, int all) throws IOException {
            if (number < 0 || number >= all) {
                throw new IOException(of + " has the number " + number + ", and the program has " + all);
            }
            return number;
        }
    }
}
