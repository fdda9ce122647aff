package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.components.mesh.Plan.Loop;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one rank for rank 0: what its parts reported, how often they ran and how long, and the passes of
 * loops whose exits it has.
 *
 * @param parts by number: executions, nanoseconds, result and lines
 * @param loops by number: the state of their passes
 */
record RankResults(Map<Integer, Found> parts, Map<Integer, byte[]> loops) {
    /** The findings of one part. */
    record Found(long executions, long nanos, @Nullable Object result, Object lines) {}

    /** Returns those of a rank. */
    static RankResults of(OpenedParts opened, Passes passes, List<Loop> loops, RankLinks links) {
        Map<Integer, Found> parts = new LinkedHashMap<>();
        for (int i = 0; i < opened.size(); i++) {
            if (links.isHere(i)) {
                OpenedPart part = opened.get(i);
                PartContext context = opened.context(i);
                parts.put(i, new Found(part.executions(), part.nanos(), context.result(), context.lines()));
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

    /** Puts these into the parts of rank 0, whose own ones of this rank were not executed. */
    void restore(OpenedParts opened, Passes passes) {
        parts.forEach((number, found) -> {
            opened.get(number).executed(found.executions, found.nanos);
            opened.context(number).restore(found.result, found.lines);
        });
        loops.forEach(passes::state);
    }

    /** The codec. */
    static final class OfRanks implements Codec<RankResults> {
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
            int size = from.readLength(1);
            for (int i = 0; i < size; i++) {
                int part = from.readInt();
                long executions = from.readLong();
                long nanos = from.readLong();
                Object result = from.readBoolean() ? Findings.CODEC.read(from) : null;
                Object lines = Findings.CODEC.read(from);
                parts.put(part, new Found(executions, nanos, result, lines));
            }
            Map<Integer, byte[]> loops = new LinkedHashMap<>();
            int states = from.readLength(1);
            for (int i = 0; i < states; i++) {
                int loop = from.readInt();
                byte[] state = new byte[from.readLength(1)];
                from.readFully(state);
                loops.put(loop, state);
            }
            return new RankResults(parts, loops);
        }
    }
}
