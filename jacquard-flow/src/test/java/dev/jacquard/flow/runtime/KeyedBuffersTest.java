package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.flow.memory.ItemResources;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.KeyedEdge.Loader;
import dev.jacquard.testkit.Watchdog;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads that take the same key. */
@Timeout(60)
class KeyedBuffersTest {
    private final AtomicInteger loads = new AtomicInteger();
    private final AtomicReference<Thread> other = new AtomicReference<>();

    /** The resources of an item that takes nothing else. */
    private static ItemResources item() {
        Class<?> type = ItemResources.class;
        return (ItemResources)
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private static KeyedBuffers buffers(Loader<Object, Object> loader) {
        KeyedEdge<Object, Object> edge = KeyedEdge.of("rows", 2, Object::new, loader);
        KeyedBuffers buffers = new KeyedBuffers("rows", edge, edge.allocator());
        buffers.add(new Object());
        buffers.add(new Object());
        return buffers;
    }

    private void awaitOther() {
        Watchdog.until(
                () -> {
                    Thread thread = other.get();
                    return thread != null && thread.getState() == Thread.State.WAITING;
                },
                "the other thread waits for the loader");
    }

    private <T> FutureTask<T> inOther(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        other.set(Thread.ofPlatform().start(task));
        return task;
    }

    @Test
    void theSecondTakerWaitsForTheLoaderOfTheFirst() throws Exception {
        List<FutureTask<KeyedBuffers.Slot>> second = new ArrayList<>();
        KeyedBuffers[] buffers = new KeyedBuffers[1];
        buffers[0] = buffers((key, buffer, item) -> {
            loads.incrementAndGet();
            second.add(inOther(() -> buffers[0].take("a", item())));
            awaitOther();
        });
        KeyedBuffers.Slot slot = buffers[0].take("a", item());
        assertSame(slot, second.getFirst().get());
        assertEquals(1, loads.get());
        buffers[0].release(slot);
        KeyedBuffers.Slot again = buffers[0].take("a", item());
        assertSame(slot, again);
        buffers[0].release(slot);
        buffers[0].release(slot);
        assertEquals(2, buffers[0].removeAll().size());
    }

    @Test
    void theSecondTakerLoadsAfterTheFirstHasFailed() throws Exception {
        List<FutureTask<KeyedBuffers.Slot>> second = new ArrayList<>();
        KeyedBuffers[] buffers = new KeyedBuffers[1];
        buffers[0] = buffers((key, buffer, item) -> {
            if (loads.incrementAndGet() == 1) {
                second.add(inOther(() -> buffers[0].take("a", item())));
                awaitOther();
                throw new IllegalStateException("first");
            }
        });
        assertThrows(IllegalStateException.class, () -> buffers[0].take("a", item()));
        KeyedBuffers.Slot slot = second.getFirst().get();
        assertEquals(2, loads.get());
        assertSame(slot, buffers[0].take("a", item()));
        assertNotSame(slot, buffers[0].take("b", item()));
        assertEquals(2, buffers[0].removeAll().size());
    }
}
