package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Store.Home;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a program in a session. Made by the opener; the arena's memory lives as long as there are users of it.
 */
final class World {
    /** Between the rows. */
    private static final byte GAP = 0x6A;

    private final Program program;
    private final Session session;
    private final Arena arena = Arena.ofAuto();
    private final List<Resource> resources = new ArrayList<>();
    /** The values of handles and of what locks protect. */
    private final long[][] cells;
    /** The values that freed data had left for the user. Written and read by the opener. */
    private final Map<Integer, long[]> freed = new HashMap<>();
    /** The tasks that fill data which only the engine has. Written by the submitter whose turn it is. */
    private final Map<Integer, Task<?>> fillers = new ConcurrentHashMap<>();
    /** How often data was made. Written by the submitter whose turn it is, and read by it. */
    private final int[] made;
    /** The numbers of data that was freed, and not all brought to the user. Written by the opener, and read by it. */
    private final Set<Integer> lost = new HashSet<>();
    /** The numbers of data that was fetched in the end. Written by the opener, and read by it. */
    private final Set<Integer> fetched = new HashSet<>();
    /** Written by the opener, and read by it. */
    private boolean leftElsewhere;
    /** Where data with a home lies. */
    private final @Nullable Memory[] homes;

    World(Program program, Session session) {
        this.program = program;
        int count = program.stores().size();
        this.cells = new long[count][];
        this.homes = new @Nullable Memory[count];
        this.made = new int[count];
        this.session = session;
        for (Store store : program.stores()) {
            int number = store.number();
            long[] first = contents(store, 0);
            cells[number] = store.isData() ? new long[0] : first;
            resources.add(
                    switch (store.kind()) {
                        case LOCK -> session.unordered("s" + number);
                        case GUARDED -> session.wrap("s" + number, first, session.unordered("around s" + number));
                        case HANDLE ->
                            store.parent() < 0
                                    ? session.wrap("s" + number, first)
                                    : session.wrap("s" + number, first, resources.get(store.parent()));
                        case DATA -> data(store, first);
                    });
        }
    }

    /** What a store holds at first, and, if it is data, when it was freed {@code times} times and made anew. */
    static long[] contents(Store store, int times) {
        long[] first = new long[store.cells()];
        for (int i = 0; i < first.length; i++) {
            first[i] = store.type().hold(Mix.value(1_000L * store.number() + 100_000L * times + i));
        }
        return first;
    }

    private Data data(Store store, long[] first) {
        Layout layout = store.layout();
        String name = store.name();
        if (store.home() == Home.ENGINE) {
            Data made = session.data().of(name, layout);
            if (!program.setting().within()) {
                load(session.graph(), store, made, first);
            }
            return made;
        }
        MemorySegment segment = store.home() == Home.SEGMENT
                ? arena.allocate(layout.bytes(), 8)
                : MemorySegment.ofArray(new long[(int) (layout.bytes() + 7) / 8]);
        segment.fill(GAP);
        Memory home = new Memory(segment, layout);
        fill(store, home, first);
        homes[store.number()] = home;
        boolean isWritten = program.all()
                .flatMap(job -> job.touches().stream())
                .anyMatch(
                        touch -> touch.store() == store.number() && touch.how().writes());
        return session.data().home(name, layout, isWritten ? segment : segment.asReadOnly());
    }

    private void load(Tasks where, Store store, Data made, long[] first) {
        Task<?> filler =
                where.task("load " + made.name()).writes(made).run(context -> fill(store, context.memory(made), first));
        fillers.put(store.number(), filler);
    }

    /** Fills what only the engine has, of a program that a task has inside itself, by sub-tasks of that. */
    void load(Tasks where) {
        for (Store store : program.stores()) {
            if (store.isData() && store.home() == Home.ENGINE) {
                load(where, store, (Data) resource(store.number()), contents(store, 0));
            }
        }
    }

    /**
     * Frees the data of {@code job} and makes it anew. By the submitter whose turn it is; the engine lets later tasks
     * see it.
     *
     * @return the values that the user has of it; null when the engine alone has it, or not all was brought
     */
    long @Nullable [] renew(Job job, Bodies bodies) {
        Store store = program.stores().get(job.touches().getFirst().store());
        Data old = (Data) resource(store.number());
        boolean whole = !program.setting().loses(); // a task may have told of a loss, instead of this
        try {
            session.data().free(old);
        } catch (IllegalStateException e) { // freed all the same, but what failed is not at home
            whole = false;
            if (program.isCalm() || !session.data().query(old).freed()) {
                throw e;
            }
        }
        long[] left = whole ? found(store) : null;
        requireGaps(store, bodies);
        resources.set(store.number(), data(store, contents(store, ++made[store.number()])));
        return left;
    }

    /** Nobody writes between the rows of what the user has. */
    void requireGaps(Store store, Bodies bodies) {
        Memory home = homes[store.number()];
        if (home == null || store.gap() == 0) {
            return;
        }
        int bytes = store.type().element.bytes();
        boolean[] used = new boolean[(int) home.segment().byteSize()];
        for (int i = 0; i < store.cells(); i++) {
            int at = (int) Operand.at(home.layout(), i) * bytes;
            Arrays.fill(used, at, at + bytes, true);
        }
        for (int i = 0; i < used.length; i++) {
            if (!used[i] && home.segment().get(ValueLayout.JAVA_BYTE, i) != GAP) {
                bodies.violation(Violation.Kind.VALUE, "s" + store.number() + " was written between its rows");
                return;
            }
        }
    }

    static void fill(Store store, Memory memory, long[] values) {
        Operand.InMemory there = new Operand.InMemory(How.WRITE, store.type(), memory, false);
        for (int i = 0; i < there.size(); i++) {
            there.set(i, values[i]);
        }
    }

    /** True if the first values of a store are there. */
    boolean isFilled(int store) {
        Task<?> filler = fillers.get(store);
        return filler == null || filler.state().isOver();
    }

    Store store(int number) {
        return program.stores().get(number);
    }

    Resource resource(int store) {
        return resources.get(store);
    }

    /** Returns the resource that a task with {@code touch} declares: in some cases all that the store is a part of. */
    Resource declared(Touch touch) {
        Resource resource = resource(touch.store());
        Resource around = touch.how() == How.RENEWED && touch.isWhole() ? resource.parent() : null;
        return around == null ? resource : around;
    }

    Access access(Touch touch) {
        return program.stores().get(touch.store()).access(touch);
    }

    View view(Touch touch) {
        Data data = (Data) resource(touch.store());
        Span span = touch.span();
        return span == null ? new View(data, data.box()) : data.part(span.box());
    }

    /** The operands of a body. */
    List<Operand> operands(List<Touch> touches, BodyContext context) {
        List<Operand> all = new ArrayList<>();
        for (Touch touch : program.expanded(touches)) {
            Store store = program.stores().get(touch.store());
            all.add(
                    store.isData()
                            ? inMemory(touch, store, context.memory(view(touch)))
                            : plain(touch, store, context));
        }
        return all;
    }

    private static Operand inMemory(Touch touch, Store store, Memory memory) {
        if (store.aligned() != null && memory.layout().elements() == store.cells()) {
            Rows.require(store, memory);
            if (touch.how() == How.UPDATE || touch.how() == How.WRITE) {
                Rows.scribble(memory);
            }
        }
        return new Operand.InMemory(touch.how(), store.type(), memory, true);
    }

    private Operand plain(Touch touch, Store store, BodyContext context) {
        long[] there = resource(touch.store()) instanceof Handle<?> handle
                ? (long[]) context.get(handle)
                : cells[store.number()];
        return new Operand.Plain(touch.how(), Type.LONG, there, program.span(touch));
    }

    /** The operands of user code that holds a view. */
    List<Operand> operands(List<Touch> touches, UserView view) {
        List<Operand> all = new ArrayList<>();
        for (Touch touch : program.expanded(touches)) {
            Store store = program.stores().get(touch.store());
            if (store.isData()) {
                Memory memory = touches.size() == 1 ? view.memory() : view.memory(view(touch));
                all.add(inMemory(touch, store, memory));
            } else {
                long[] there = (long[]) view.get((Handle<?>) resource(touch.store()));
                all.add(new Operand.Plain(touch.how(), Type.LONG, there, program.span(touch)));
            }
        }
        return all;
    }

    /** The values in the user's memory of {@code touch}, which is of data with a home. */
    long[] atHome(Touch touch) {
        Store store = program.stores().get(touch.store());
        long[] all = Objects.requireNonNull(found(store));
        Span span = program.span(touch);
        long[] part = new long[span.size()];
        for (int i = 0; i < part.length; i++) {
            part[i] = all[span.cell(i)];
        }
        return part;
    }

    /** All of {@code store} was brought to the user. By the opener. */
    void fetched(Store store) {
        fetched.add(store.number());
    }

    /** The end of the session said that not all that tasks wrote was brought to the user. By the opener. */
    void notAllAtHome() {
        leftElsewhere = true;
    }

    /** Returns whether the user has all of {@code store}, as far as the session said, which says it once. */
    boolean isAtHome(Store store) {
        if (lost.contains(store.number())) {
            return false;
        }
        boolean silent = !leftElsewhere
                && !program.setting().leaves()
                && !program.setting().loses(); // a task may have told of a loss, instead of the end
        return silent || fetched.contains(store.number());
    }

    /** {@code store} was freed just now. */
    void freed(Store store) {
        long[] found = found(store);
        freed.put(store.number(), found == null ? new long[0] : found);
    }

    /** {@code store} was freed, and not all of it brought to the user. */
    void lost(Store store) {
        freed.put(store.number(), new long[0]);
        lost.add(store.number());
    }

    /** The values of {@code store} that the user had when it had been freed; null when it was not. */
    long @Nullable [] whenFreed(Store store) {
        return freed.get(store.number());
    }

    /** The values of a store where the user sees them; null when the engine alone has it. */
    long @Nullable [] found(Store store) {
        if (!store.isData()) {
            return cells[store.number()];
        }
        Memory home = homes[store.number()];
        if (home == null) {
            return null;
        }
        Operand.InMemory there = new Operand.InMemory(How.READ, store.type(), home, false);
        long[] all = new long[there.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = there.get(i);
        }
        return all;
    }
}
