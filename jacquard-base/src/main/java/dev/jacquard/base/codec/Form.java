package dev.jacquard.base.codec;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A codec of two functions.
 *
 * @param type the class of its values
 * @param writes writes one
 * @param reads reads one
 */
record Form<T>(Class<T> type, Writes<T> writes, Reads<T> reads) implements Codec<T> {
    /** Writes a value. */
    @FunctionalInterface
    interface Writes<T> {
        void write(T value, Codec.Output to) throws IOException;
    }

    /** Reads a value. */
    @FunctionalInterface
    interface Reads<T> {
        T read(Codec.Input from) throws IOException;
    }

    @Override
    public void write(T value, Codec.Output to) throws IOException {
        writes.write(value, to);
    }

    @Override
    public T read(Codec.Input from) throws IOException {
        return reads.read(from);
    }

    /**
     * Returns a value that is a part of another one.
     *
     * @param of the whole that it is a part of, for the message
     * @throws IOException if it is null
     */
    static Object present(@Nullable Object value, String of) throws IOException {
        if (value == null) {
            throw new IOException(of + " is null; only elements of arrays may be");
        }
        return value;
    }
}
