package dev.jacquard.components.run;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.lang.reflect.Array;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The bytes of values, as far as that is known without a look at each of their parts. */
final class ValueSize {
    private ValueSize() {}

    /** Returns the bytes of a value's elements; 0 if they are not known. */
    static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case Data its -> bytes(its.layout());
            case byte[] its -> its.length;
            case boolean[] its -> its.length;
            case short[] its -> 2L * its.length;
            case char[] its -> 2L * its.length;
            case int[] its -> 4L * its.length;
            case float[] its -> 4L * its.length;
            case long[] its -> 8L * its.length;
            case double[] its -> 8L * its.length;
            case CharSequence its -> its.length();
            case Number _, Boolean _, Character _ -> Long.BYTES;
            case Collection<?> its ->
                its.isEmpty() ? 0 : its.size() * of(its.iterator().next());
            default ->
                value.getClass().isArray() && Array.getLength(value) > 0
                        ? Array.getLength(value) * of(Array.get(value, 0))
                        : 0;
        };
    }

    private static long bytes(Layout layout) {
        return layout.elements() * layout.type().bytes();
    }
}
