package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Handle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The mode that detects undeclared accesses by the bodies of tasks. Immutable.
 *
 * <p>Checks every access through a context or a handle on the body's thread. Of an object that a body has captured,
 * only a change of its contents is detected.
 *
 * <p>Source: the project's design, section 13.
 */
public final class Checking {
    /** The system property that switches the mode on or off for sessions that do not choose: true or false. */
    private static final String PROPERTY = "jacquard.checking";

    private final Map<Class<?>, ToLongFunction<Object>> hashes;

    private Checking(Map<Class<?>, ToLongFunction<Object>> hashes) {
        this.hashes = hashes;
    }

    /**
     * Returns the mode of a session that does not choose: {@link #basic} where the system property
     * {@code jacquard.checking} is {@code true}, or where it is absent and assertions are enabled for this class
     * ({@code java -ea}); else null.
     *
     * @throws IllegalArgumentException if the property is neither {@code true} nor {@code false}
     */
    public static @Nullable Checking byDefault() {
        String set = System.getProperty(PROPERTY);
        boolean on = set == null ? Checking.class.desiredAssertionStatus() : set.equals("true");
        if (set != null && !on && !set.equals("false")) {
            throw new IllegalArgumentException("system property " + PROPERTY + " is \"" + set
                    + "\": true switches checking mode on, false switches it off; without it the mode is on where"
                    + " assertions are enabled");
        }
        return on ? basic() : null;
    }

    /** Returns a mode that compares arrays, and objects that can be copied and compared. */
    public static Checking basic() {
        return new Checking(Map.of());
    }

    /** Returns a mode that also compares objects of {@code type}: equal contents have equal hashes. */
    public <T> Checking hashing(Class<T> type, ToLongFunction<? super T> hash) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(hash, "hash");
        Map<Class<?>, ToLongFunction<Object>> more = new LinkedHashMap<>(hashes);
        more.put(type, value -> hash.applyAsLong(type.cast(value)));
        return new Checking(more);
    }

    /** Returns a test that {@code handle} still holds its present contents; null if they cannot be compared. */
    <T> @Nullable BooleanSupplier unchanged(Handle<T> handle) {
        T value = handle.granted();
        ToLongFunction<Object> hash = hashOf(value);
        if (hash != null) {
            long before = hash.applyAsLong(value);
            return () -> hash.applyAsLong(value) == before;
        }
        Copier<T> copier = handle.copier();
        if (copier == null) {
            return null;
        }
        T before = copier.copy(value);
        // A value of a type that does not override equals differs from its copy even now.
        return Objects.deepEquals(before, value) ? () -> Objects.deepEquals(before, value) : null;
    }

    private @Nullable ToLongFunction<Object> hashOf(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        for (Map.Entry<Class<?>, ToLongFunction<Object>> known : hashes.entrySet()) {
            if (known.getKey().isInstance(value)) {
                return known.getValue();
            }
        }
        return value.getClass().isArray() ? Contents::hash : null;
    }
}
