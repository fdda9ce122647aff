package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.component.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one execution of a part, for another rank.
 *
 * @param answer of a loop's exit: true to leave the loop
 * @param waits true if the loop waits before its next pass, until the state is saved
 * @param values of the sources that the rank reads; null for one without a value
 */
record PartMessage(boolean answer, boolean waits, List<@Nullable Object> values) {
    /** Takes the bytes of the values of a message that is written. */
    @FunctionalInterface
    interface Sizes {
        /** @param source the place of the value's source in the list */
        void add(int source, long bytes);
    }

    /** Returns the codec of messages with the values of these sources; sizes are not recorded. */
    static Codec<PartMessage> codec(List<Source<?>> sources, Codecs codecs) {
        return codec(sources, codecs, (_, _) -> {});
    }

    /** Returns the codec of messages with the values of these sources. */
    static Codec<PartMessage> codec(List<Source<?>> sources, Codecs codecs, Sizes sizes) {
        List<Codec<Object>> all = new ArrayList<>();
        for (Source<?> source : sources) {
            all.add(codec(source, codecs));
        }
        return new Of(all, sizes);
    }

    /** Explains why the values of a source cannot be sent; null if they can. */
    static @Nullable String missing(Source<?> source) {
        try {
            codec(source, new SavedData().codecs());
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    @SuppressWarnings("unchecked") // it is the codec of the values of that source
    private static Codec<Object> codec(Source<?> source, Codecs codecs) {
        return (Codec<Object>) (Codec<?>) SocketCodecs.of(source.type(), codecs);
    }

    private record Of(List<Codec<Object>> codecs, Sizes sizes) implements Codec<PartMessage> {
        @Override
        public Class<PartMessage> type() {
            return PartMessage.class;
        }

        @Override
        public void write(PartMessage value, Output to) throws IOException {
            to.writeBoolean(value.answer);
            to.writeBoolean(value.waits);
            for (int i = 0; i < codecs.size(); i++) {
                Object its = value.values.get(i);
                to.writeBoolean(its != null);
                if (its != null) {
                    long before = to.length();
                    codecs.get(i).write(its, to);
                    sizes.add(i, to.length() - before);
                }
            }
        }

        @Override
        public PartMessage read(Input from) throws IOException {
            boolean answer = from.readBoolean();
            boolean waits = from.readBoolean();
            List<@Nullable Object> values = new ArrayList<>();
            for (Codec<Object> codec : codecs) {
                values.add(from.readBoolean() ? codec.read(from) : null);
            }
            return new PartMessage(answer, waits, values);
        }
    }
}
