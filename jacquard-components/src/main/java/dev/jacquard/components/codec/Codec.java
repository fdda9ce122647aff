package dev.jacquard.components.codec;

import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Writes values of a type and reads them again. Named as a service, it is used for values of its own.
 *
 * <p>Threads: any number at a time.
 *
 * @param <T> the values
 */
public interface Codec<T> {
    /** The class whose values it writes; no others, not even of subclasses. */
    Class<T> type();

    /** Writes all of a value. */
    void write(T value, DataOutputStream to) throws IOException;

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if it cannot be right
     */
    T read(CodecInput from) throws IOException;
}
