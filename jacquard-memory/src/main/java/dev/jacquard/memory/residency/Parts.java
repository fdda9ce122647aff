package dev.jacquard.memory.residency;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Parts of data, as accesses to areas. */
public final class Parts {
    private Parts() {}

    /** The area of the indices of {@code box}. */
    public static Area area(Box box) {
        long[] bounds = new long[2 * box.dimensions()];
        for (int d = 0; d < box.dimensions(); d++) {
            bounds[2 * d] = box.from(d);
            bounds[2 * d + 1] = box.to(d) - 1;
        }
        return Area.of(bounds);
    }

    /** Which indices of {@code data} are accessed. */
    public static Box box(Data data, Access access) {
        if (!(access instanceof AreaAccess there)) {
            return data.box();
        }
        Area area = there.area();
        long[] from = new long[area.dimensions()];
        long[] to = new long[area.dimensions()];
        for (int d = 0; d < from.length; d++) {
            from[d] = area.low(d);
            to[d] = area.high(d) + 1;
        }
        return Box.of(from, to);
    }

    /** Returns the parts of data that are accessed, in the order of the accesses. */
    public static List<View> views(AccessList accesses) {
        List<View> views = new ArrayList<>(accesses.size());
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data) {
                views.add(new View(data, box(data, accesses.access(i))));
            }
        }
        return Collections.unmodifiableList(views);
    }

    /**
     * Returns the access to {@code resource} that is meant: an area that is all of some data is the data, so that a
     * task that writes it overwrites all that was there.
     */
    public static Access meant(Resource resource, Access access) {
        return access instanceof AreaAccess there
                        && there.kind() instanceof Mode
                        && resource instanceof Data data
                        && !there.area().isReal()
                        && box(data, there).equals(data.box())
                ? there.kind()
                : access;
    }

    /** Returns true if the access is a built-in mode, to all of a resource or to an area. */
    public static boolean isBuiltIn(Access access) {
        return access instanceof Mode || (access instanceof AreaAccess there && there.kind() instanceof Mode);
    }

    /** Throws if the access is to an area that {@code data} does not have. */
    public static void requireWithin(String task, Data data, Access access) {
        if (access instanceof AreaAccess there) {
            Area area = there.area();
            boolean within = !area.isReal()
                    && area.dimensions() == data.box().dimensions()
                    && data.box().contains(box(data, access));
            if (!within) {
                throw new IllegalArgumentException("task \"" + task + "\" accesses " + area + " of data \""
                        + data.name() + "\", which has elements " + data.box());
            }
        }
    }
}
