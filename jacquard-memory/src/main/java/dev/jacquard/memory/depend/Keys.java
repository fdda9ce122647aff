package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import java.util.Set;

/** The keys of accesses, which users' code supplies and which may break the laws of {@link Access}. */
final class Keys {
    private static final Object[] NONE = {};

    private Keys() {}

    /** Returns the keys of an access to parts of a resource; none if it has none, or cannot tell. */
    static Object[] of(Access access) {
        try {
            Set<?> keys = access.keys();
            if (keys == null || keys.isEmpty()) {
                return NONE;
            }
            Object[] all = keys.toArray();
            for (Object key : all) {
                int _ = key.hashCode(); // throws here rather than where half of them are entered
            }
            return all;
        } catch (RuntimeException | LinkageError | AssertionError e) { // it breaks its laws: it may touch any part
            return NONE;
        }
    }
}
