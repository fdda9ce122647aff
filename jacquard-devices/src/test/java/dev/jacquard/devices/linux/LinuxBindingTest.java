package dev.jacquard.devices.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Threads bound to processors, read back from the operating system. */
class LinuxBindingTest {
    /** The processors on which the calling thread may run, as the system lists them. */
    private static String allowed() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/thread-self/status"));
        return status.stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*:\\s*", "");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aThreadIsBoundAndFreedAgain() throws IOException {
        LinuxBinding binding = new LinuxBinding();
        assertNull(binding.missing());
        String before = allowed();
        BitSet processors = new Affinity().get();
        Runnable undo = binding.bind(processors.cardinality() + 1);
        try {
            int second = processors.nextSetBit(processors.nextSetBit(0) + 1);
            assertEquals(Integer.toString(second < 0 ? processors.nextSetBit(0) : second), allowed());
        } finally {
            undo.run();
        }
        assertEquals(before, allowed());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thePolicyPinnedBindsEachWorkerWhileItWorks() throws IOException {
        String before = allowed();
        BitSet processors = new Affinity().get();
        ConcurrentMap<Integer, String> seen = new ConcurrentHashMap<>();
        try (Session session =
                Session.builder().workers(2).policy(Policies.named("pinned")).open()) {
            for (int worker = 0; worker < 2; worker++) {
                session.graph().task("t").affinity(worker).run(ctx -> seen.put(ctx.worker(), allowed()));
            }
            session.graph().await();
            assertEquals(before, allowed());
        }
        int first = processors.nextSetBit(0);
        int second = processors.nextSetBit(first + 1);
        assertEquals(Integer.toString(first), seen.get(0));
        assertEquals(Integer.toString(second < 0 ? first : second), seen.get(1));
    }

    /** Threads inherit to what the one that starts them is bound. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void threadsOfTheEngineThatAreNoWorkersAreFree() throws Exception {
        String before = allowed();
        CompletableFuture<String> dedicated = new CompletableFuture<>();
        ConcurrentMap<Integer, String> inner = new ConcurrentHashMap<>();
        try (Session session =
                Session.builder().workers(2).policy(Policies.named("pinned")).open()) {
            session.graph()
                    .task("starts")
                    .affinity(1)
                    .run(ctx -> session.executor().dedicated("free", () -> dedicated.complete(mine())));
            session.graph().task("opens").affinity(1).run(ctx -> {
                try (Session other = Session.builder().workers(2).open()) {
                    CountDownLatch both = new CountDownLatch(2);
                    for (int i = 0; i < 2; i++) {
                        other.graph().task("look").run(its -> {
                            both.countDown();
                            both.await(); // so that each worker has one
                            inner.put(its.worker(), mine());
                        });
                    }
                    other.graph().await();
                }
            });
            session.graph().await();
            assertEquals(before, dedicated.get(20, TimeUnit.SECONDS));
            assertEquals(before, inner.get(1), inner::toString);
        }
        assertEquals(before, allowed());
    }

    private static String mine() {
        try {
            return allowed();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void elsewhereThereIsNoneAndTheReasonIsOnRecord() {
        LinuxBinding binding = new LinuxBinding("Plan 9", Affinity::new);
        assertTrue(String.valueOf(binding.missing()).contains("this is Plan 9"), binding.missing());
    }

    @Test
    void aLibraryWithoutTheFunctionIsNoReasonToFail() {
        LinuxBinding binding = new LinuxBinding("Linux", () -> {
            throw new IllegalStateException("the C library has no function sched_setaffinity");
        });
        assertTrue(String.valueOf(binding.missing()).contains("no function"), binding.missing());
    }
}
