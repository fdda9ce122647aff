package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Access to fields in weaker orders than volatile ones, or by atomic updates. */
final class Fields {
    private Fields() {}

    /** Returns the handle of the field {@code name} of the class that looks it up. */
    static VarHandle handle(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
