package dev.jacquard.flow.dry;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.dry.Travelling.Worked;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The emitter of a dry map or of a rule in a dry run. That of a map takes buffers at once, and keeps the rest until the
 * item's time has passed.
 *
 * <p>Threads: confined to the thread of the dry run.
 */
final class DryEmitter implements Emitter<Object> {
    private final Emitter<Object> out;
    private final String part;
    /** The actions that are kept; null if they are done at once. */
    private final @Nullable List<Consumer<Emitter<Object>>> later;
    /** The work that leads to the items that are emitted at once. */
    private final @Nullable Worked before;
    /** Returns the work that leads to the items that are emitted later. */
    private @Nullable Worked worked;

    private DryEmitter(
            Emitter<Object> out,
            String part,
            @Nullable List<Consumer<Emitter<Object>>> later,
            @Nullable Worked before) {
        this.out = out;
        this.part = part;
        this.later = later;
        this.before = before;
    }

    /** Returns an emitter that emits at once. */
    static DryEmitter now(Emitter<Object> out, String part, @Nullable Worked before) {
        return new DryEmitter(out, part, null, before);
    }

    /** Returns an emitter that keeps emitted items and releases. */
    static DryEmitter later(Emitter<Object> out, String part) {
        return new DryEmitter(out, part, new ArrayList<>(), null);
    }

    /** Emits and releases, through {@code end}, as the item's time has passed. */
    void finish(Emitter<Object> end, Worked its) {
        worked = its;
        if (later != null) {
            later.forEach(action -> action.accept(end));
        }
    }

    @Override
    public void emit(Object item) {
        if (later == null) {
            out.emit(new Travelling(item, before));
        } else {
            later.add(end -> end.emit(new Travelling(item, worked)));
        }
    }

    @Override
    public <T> void send(Siblings<T> edge, int copy, T item) {
        if (later == null) {
            sendNow(out, edge, copy, new Travelling(item, before));
        } else {
            later.add(end -> sendNow(end, edge, copy, new Travelling(item, worked)));
        }
    }

    @SuppressWarnings("unchecked") // in a dry run all items are of one type
    private static void sendNow(Emitter<Object> out, Siblings<?> edge, int copy, Travelling item) {
        out.send((Siblings<Object>) edge, copy, item);
    }

    @Override
    public int copies(Siblings<?> edge) {
        return out.copies(edge);
    }

    @Override
    public <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule) {
        return out.take(edge, rule);
    }

    @Override
    public <T> Handle<T> take(SizedEdge<T> edge, long bytes, ReleaseRule rule) {
        throw notByNumber(edge);
    }

    @Override
    public Handle<Data> take(SizedEdge<Data> edge, Layout layout, ReleaseRule rule) {
        throw notByNumber(edge);
    }

    @Override
    public <K, T> Handle<T> take(KeyedEdge<K, T> edge, K key, ReleaseRule rule) {
        throw notByNumber(edge);
    }

    private IllegalStateException notByNumber(MemoryEdge<?> edge) {
        return new IllegalStateException("\"" + part + "\" takes from memory edge \"" + edge.name()
                + "\" in a dry run, which knows neither sizes nor keys");
    }

    @Override
    public void release(Handle<?> buffer) {
        if (later == null) {
            out.release(buffer);
        } else {
            later.add(end -> end.release(buffer));
        }
    }

    @Override
    public Tasks graph() {
        throw new IllegalStateException(
                "the dry map of \"" + part + "\" asked for tasks: it only emits, takes and" + " releases");
    }

    @Override
    public void whenDone(Continuation<Object> then) {
        throw new IllegalStateException("the dry map of \"" + part + "\" asked for the end of its tasks: it has none,"
                + " so it emits and releases at once");
    }

    @Override
    public boolean stopping() {
        return out.stopping();
    }
}
