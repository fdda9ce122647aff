package dev.jacquard.memory.residency;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;

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

    /** Throws unless data can be accessed like that. */
    public static void requireSupported(String task, Resource resource, Access access) {
        if (!(access.whole() instanceof Mode)) {
            throw unknown(task, resource, access);
        }
        if (access instanceof AreaAccess there && resource instanceof Data data) {
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

    /** Throws if data would be brought to a task for an access of a kind that replicas do not know. */
    public static void requireKnown(String task, Resource resource, Access access) {
        boolean known = access instanceof Mode || (access instanceof AreaAccess there && there.kind() instanceof Mode);
        if (!known && resource instanceof Data) {
            throw unknown(task, resource, access);
        }
    }

    private static IllegalArgumentException unknown(String task, Resource resource, Access access) {
        return new IllegalArgumentException("task \"" + task + "\" cannot access data \"" + resource.name() + "\" by "
                + access + ": its replicas know the built-in modes, whole or by area");
    }
}
