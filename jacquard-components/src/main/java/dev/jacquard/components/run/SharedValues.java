package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The values of a checkpoint that may change, such as arrays: one that occurs in several places is saved once, and is
 * one value again when the program goes on, so that a component sees the changes of another in it.
 *
 * <pre>
 *  first time  -1 | the output of the value's own codec; it has the next number when that is over
 *  again       number
 * </pre>
 *
 * <p>Values are read in the order in which they were written. Texts, boxes, enums and records do not change, and are
 * saved wherever they occur; values that a record refers to may be shared. Confined to the thread that saves or
 * restores.
 */
final class SharedValues {
    private static final int NEW = -1;
    /** The number of a value that is being written. */
    private static final int OPEN = -2;

    private final Codecs codecs;
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    /** By number; values that were written are not kept here. */
    private final List<Object> all = new ArrayList<>();

    private int written;

    SharedValues(Codecs codecs) {
        this.codecs = codecs.changed(this::shared);
    }

    /** Returns the codecs by which values are shared. */
    Codecs codecs() {
        return codecs;
    }

    private Codec<?> shared(Codec<?> codec) {
        return changes(codec.type()) && !(codec instanceof SavedData) ? new Shared<>(codec) : codec;
    }

    private static boolean changes(Class<?> type) {
        boolean isOfJava = type.getName().startsWith("java.lang.");
        return type.isArray() || !(isOfJava || type.isEnum() || type.isRecord());
    }

    private final class Shared<T> implements Codec<T> {
        private final Codec<T> its;

        Shared(Codec<T> its) {
            this.its = its;
        }

        @Override
        public Class<T> type() {
            return its.type();
        }

        @Override
        public void write(T value, Output to) throws IOException {
            Integer number = numbers.putIfAbsent(value, OPEN);
            if (number == null) {
                to.writeInt(NEW);
                its.write(value, to);
                numbers.put(value, written++);
            } else if (number == OPEN) {
                throw new IOException("a value of " + value.getClass().getName() + " contains itself");
            } else {
                to.writeInt(number);
            }
        }

        @Override
        public T read(Input from) throws IOException {
            int number = from.readInt();
            if (number == NEW) {
                T value = its.read(from);
                all.add(value);
                return value;
            }
            if (number < 0 || number >= all.size() || !type().isInstance(all.get(number))) {
                throw new IOException("a value that occurs again has the number " + number + ", and " + all.size()
                        + " were read before, that one of another type");
            }
            return type().cast(all.get(number));
        }
    }
}
