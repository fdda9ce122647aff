package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The shadows of one tracker: see {@link Shadowed}. Few, since only tasks that others may change before they start make any. Guarded like
 * the tracker.
 *
 * @param <T> what has the accesses; tasks
 */
final class Shadows<T> {
    private final List<Shadowed<T>> shadows = new ArrayList<>(2);

    boolean isEmpty() {
        return shadows.isEmpty();
    }

    void add(Shadowed<T> shadow) {
        shadows.add(shadow);
    }

    /** Whether it was there. */
    boolean remove(Shadowed<T> shadow) {
        return shadows.remove(shadow);
    }

    /** Asks everything that the others will ask. */
    void ask(Access access) {
        for (Shadowed<T> shadow : shadows) {
            if (access.conflictsWith(shadow.access())) {
                access.covers(shadow.access());
            }
        }
    }

    boolean has(Shadowed<T> shadow) {
        return shadows.contains(shadow);
    }

    /** Those that {@code later}, which drops also {@code dropped}, conflicts with; it covers more of them when it may. */
    void overwrite(T later, Access access, boolean mayDrop, List<Shadowed<T>> dropped, Consumer<Shadowed<T>> visitor) {
        for (int i = shadows.size() - 1; i >= 0; i--) {
            Shadowed<T> shadow = shadows.get(i);
            if (!isMetBy(shadow, later, access)) {
                continue;
            }
            if (!mayDrop || !access.covers(shadow.access())) {
                shadow.tell(visitor);
            } else if (shadow.hidesBehind(dropped)) {
                shadows.remove(i);
            } else {
                shadow.coverBy(later, visitor);
            }
        }
    }

    /** Notes who reads them; drops what {@code later} covers when it may. */
    void meet(T later, Access access, boolean mayDrop) {
        for (int i = shadows.size() - 1; i >= 0; i--) {
            Shadowed<T> shadow = shadows.get(i);
            if (!isMetBy(shadow, later, access)) {
                continue;
            }
            if (access.reads()) {
                shadow.readBy(later, access);
            }
            if (mayDrop && access.covers(shadow.access())) {
                shadows.remove(i);
            }
        }
    }

    /** Who covers one already knows of it. */
    private static <T> boolean isMetBy(Shadowed<T> shadow, T later, Access access) {
        return shadow.task() != later && !shadow.isCoveredBy(later) && access.conflictsWith(shadow.access());
    }
}
