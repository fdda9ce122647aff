package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.component.SocketType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codecs of the values that sockets give and components keep. */
final class SocketCodecs {
    private SocketCodecs() {}

    /**
     * Returns the codec of a type.
     *
     * @throws IllegalArgumentException if it has none; the message names the class for which there is none
     */
    @SuppressWarnings("unchecked") // it is the codec of the class with the arguments of the type
    static <T> Codec<T> of(SocketType<T> type, Codecs codecs) {
        List<Codec<?>> arguments = new ArrayList<>();
        for (SocketType<?> argument : type.arguments()) {
            arguments.add(of(argument, codecs));
        }
        return (Codec<T>) codecs.of(type.raw(), arguments);
    }

    /**
     * Reads a value from an entry of a checkpoint.
     *
     * @throws IOException if it is none of the type, as far as that can be seen
     */
    static <T> T read(String entry, SocketType<T> type, Codecs codecs, CheckpointReader in) throws IOException {
        T value;
        try {
            value = in.readValue(entry, of(type, codecs));
        } catch (RuntimeException e) {
            throw new IOException("the entry \"" + entry + "\" cannot be read: " + e, e);
        }
        if (!type.takes(value)) {
            throw new IOException("the entry \"" + entry + "\" is no value of " + type);
        }
        return value;
    }

    /** Explains why values of a type cannot be saved; null if they can. */
    static @Nullable String missing(SocketType<?> type) {
        try {
            of(type, new SavedData().codecs());
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}
