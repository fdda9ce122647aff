package dev.jacquard.base.concurrent;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;

/** Handles of the fields that a class accesses with its own memory order. */
public final class Fields {
    private Fields() {}

    /** Returns the handle of a field of the class that looks it up. */
    public static VarHandle handle(Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
