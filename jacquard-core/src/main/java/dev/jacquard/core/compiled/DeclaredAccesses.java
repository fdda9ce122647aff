package dev.jacquard.core.compiled;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Declares the accesses of one task of a compiled graph, by the verbs of {@link dev.jacquard.core.graph.TaskBuilder}.
 *
 * <pre>{@code
 * builder.task("relax", ctx -> relax(ctx.get(u), ctx.get(v)), a -> a.reads(u).updates(v));
 * }</pre>
 *
 * <p>Confined to the block that declares.
 */
public final class DeclaredAccesses {
    private final AccessList.Builder list = AccessList.builder();

    private DeclaredAccesses() {}

    /** Returns the accesses that {@code declaration} declares. */
    static AccessList by(Consumer<? super DeclaredAccesses> declaration) {
        Objects.requireNonNull(declaration, "accesses");
        DeclaredAccesses declared = new DeclaredAccesses();
        declaration.accept(declared);
        return declared.list.build();
    }

    /** Declares that the task reads all of {@code resource}. */
    public DeclaredAccesses reads(Resource resource) {
        return declare(resource, Mode.READ);
    }

    /** Declares that the task reads a part of some data. */
    public DeclaredAccesses reads(View part) {
        Objects.requireNonNull(part, "part");
        return declare(part.data(), Access.read(Parts.area(part.box())));
    }

    /** Declares that the task reads and writes all of {@code resource}. */
    public DeclaredAccesses updates(Resource resource) {
        return declare(resource, Mode.UPDATE);
    }

    /** Declares that the task reads and writes a part of some data. */
    public DeclaredAccesses updates(View part) {
        Objects.requireNonNull(part, "part");
        return declare(part.data(), Access.update(Parts.area(part.box())));
    }

    /** Declares that the task writes all of {@code resource} without reading it. */
    public DeclaredAccesses writes(Resource resource) {
        return declare(resource, Mode.WRITE);
    }

    /** Declares that the task writes a part of some data without reading it. */
    public DeclaredAccesses writes(View part) {
        Objects.requireNonNull(part, "part");
        return declare(part.data(), Access.write(Parts.area(part.box())));
    }

    /** Declares that the task adds to {@code resource}, atomically. */
    public DeclaredAccesses adds(Resource resource) {
        return declare(resource, Mode.ADD);
    }

    /** Declares that the task adds to a part of some data, atomically. */
    public DeclaredAccesses adds(View part) {
        Objects.requireNonNull(part, "part");
        return declare(part.data(), Access.add(Parts.area(part.box())));
    }

    /** Declares that the task accesses {@code resource} in these ways. */
    public DeclaredAccesses accesses(Resource resource, Access... ways) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(ways, "ways");
        for (Access way : ways) {
            declare(resource, Objects.requireNonNull(way, "ways"));
        }
        return this;
    }

    private DeclaredAccesses declare(Resource resource, Access access) {
        list.add(resource, Parts.meant(resource, access));
        return this;
    }
}
