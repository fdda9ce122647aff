package dev.jacquard.flow.testing;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Plain threads that share one deque of ready nodes under one lock; whoever waits sleeps. */
public final class ThreadedWorkers implements Workers, AutoCloseable {
    private final Breakage broken = new Breakage();
    private final Object lock = new Object();
    /** Guarded by lock. */
    private final ArrayDeque<Node> ready = new ArrayDeque<>();
    /** Guarded by lock. */
    private long signals;
    /** Guarded by lock. */
    private boolean closed;

    private final List<Thread> threads = new ArrayList<>();
    private final Trace trace;
    private final AtomicReference<@Nullable Throwable> escaped = new AtomicReference<>();

    /** How many threads dedicated copies may have; the next cannot be started. */
    private int threadsLeft = Integer.MAX_VALUE;

    public ThreadedWorkers(int workers) {
        this(workers, 0);
    }

    public ThreadedWorkers(int workers, int traceCapacity) {
        trace = new Trace(Clock.system(), traceCapacity);
        for (int i = 0; i < workers; i++) {
            Worker worker = new Worker(i, trace.lane("worker " + i));
            threads.add(Thread.ofPlatform().name("test worker " + i).start(worker));
        }
    }

    @Override
    public int workers() {
        return threads.size();
    }

    @Override
    public void ready(Node node) {
        synchronized (lock) {
            ready.addLast(node);
            lock.notifyAll();
        }
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        while (true) {
            long seen;
            synchronized (lock) {
                seen = signals;
            }
            if (done.getAsBoolean()) {
                return;
            }
            synchronized (lock) {
                while (seen == signals) {
                    lock.wait();
                }
            }
        }
    }

    @Override
    public void signal() {
        synchronized (lock) {
            signals++;
            lock.notifyAll();
        }
    }

    /** Called by the thread that starts runs, before it does. */
    public void threadsLeft(int number) {
        threadsLeft = number;
    }

    @Override
    public Breakage broken() {
        return broken;
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        if (threadsLeft-- == 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return Thread.ofPlatform().name(name).start(() -> {
            try {
                body.run();
            } catch (Throwable t) {
                escaped.compareAndSet(null, t);
                throw t;
            }
        });
    }

    @Override
    public void background(Runnable action) {
        Thread _ = dedicated("test background", action);
    }

    /** Runs {@code action} at once: what is to happen now and then happens as often as can be. */
    @Override
    public Timer schedule(long nanosFromNow, Runnable action) {
        Thread.ofVirtual().start(() -> {
            try {
                action.run();
            } catch (Throwable t) {
                escaped.compareAndSet(null, t);
            }
        });
        return () -> false;
    }

    @Override
    public Trace trace() {
        return trace;
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Throwable problem = escaped.get();
        if (problem != null) {
            throw new AssertionError("a node or a dedicated body threw", problem);
        }
        synchronized (lock) {
            if (!ready.isEmpty()) {
                throw new AssertionError("left ready: " + ready);
            }
        }
    }

    private final class Worker implements Runnable, WorkerContext {
        private final int index;
        private final TraceLane lane;

        Worker(int index, TraceLane lane) {
            this.index = index;
            this.lane = lane;
        }

        @Override
        public void run() {
            while (true) {
                Node node;
                synchronized (lock) {
                    while (ready.isEmpty() && !closed) {
                        try {
                            lock.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                    if (ready.isEmpty()) {
                        return;
                    }
                    node = index % 2 == 0 ? ready.removeLast() : ready.removeFirst();
                }
                try {
                    node.run(this);
                } catch (Throwable t) {
                    escaped.compareAndSet(null, t);
                }
            }
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public TraceLane lane() {
            return lane;
        }

        @Override
        public void ready(Node node) {
            ThreadedWorkers.this.ready(node);
        }
    }
}
