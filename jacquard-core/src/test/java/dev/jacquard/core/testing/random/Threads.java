package dev.jacquard.core.testing.random;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Real threads. Submitters take turns, or race. */
final class Threads implements Pace {
    private final AtomicInteger driven = new AtomicInteger();

    @Override
    public Session open(SessionBuilder builder) {
        return builder.open();
    }

    @Override
    public void opener(Runnable what) {
        what.run();
    }

    @Override
    public void pause(Job job) {
        for (int i = job.pause(); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void linger(Job job, long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() - until < 0) {
            boolean heard = Thread.interrupted();
            LockSupport.parkNanos(heard ? 1 : until - System.nanoTime());
        }
    }

    @Override
    public void later(Runnable what) {
        Thread.startVirtualThread(what);
    }

    /** Both drivers of a session, in turn. */
    @Override
    public Executor drivers(Session session) {
        return function -> {
            if ((driven.getAndIncrement() & 1) == 0) {
                session.executor().background(function);
            } else {
                session.executor().virtualThread(function);
            }
        };
    }

    @Override
    public Object runner() {
        return Thread.currentThread();
    }

    // ---- submitters

    @Override
    public void submitAll(Program program, Trial trial, Session session) throws Exception {
        int others = program.setting().submitters() - 1;
        if (others == 0) {
            program.jobs().forEach(trial::submit);
            return;
        }
        boolean racing = program.setting().racing();
        Semaphore turn = new Semaphore(1);
        AtomicInteger left = new AtomicInteger(others);
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("submitter").factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int who = 1; who <= others; who++) {
                int number = who;
                running.add(threads.submit(() -> {
                    try {
                        for (Job job : program.jobs()) {
                            if (job.submitter() == number && racing) {
                                trial.submit(job);
                            } else if (job.submitter() == number) {
                                turn.acquireUninterruptibly();
                                submitIn(turn, trial, session, job);
                            }
                        }
                    } finally {
                        left.decrementAndGet();
                        session.signal();
                    }
                }));
            }
            for (Job job : program.jobs()) {
                if (job.submitter() == 0 && racing) {
                    trial.submit(job);
                } else if (job.submitter() == 0) {
                    AtomicBoolean mine = new AtomicBoolean(); // may be asked again when it is
                    session.awaitUntil(() -> {
                        if (!mine.get()) {
                            mine.set(turn.tryAcquire());
                        }
                        return mine.get();
                    });
                    submitIn(turn, trial, session, job);
                }
            }
            session.awaitUntil(() -> left.get() == 0);
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    /** It is the caller's turn: so the order of submissions is known. */
    private static void submitIn(Semaphore turn, Trial trial, Session session, Job job) {
        try {
            trial.submit(job);
        } finally {
            turn.release();
            session.signal();
        }
    }
}
