package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that complete later, results that other code waits for, several submitters. */
class AsyncExampleTest {
    @Test
    void anAsynchronousTaskHoldsNoWorker(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("tile"), new byte[] {1, 2, 3});
        try (Session session = Session.open()) {
            Handle<byte[]> tile = session.wrap("tile", new byte[3]);
            TaskGraph graph = session.graph();
            graph.task("read").writes(tile).start(ctx -> fetch(session, file, ctx.get(tile)));
            Task<Integer> sum = graph.task("sum").reads(tile).call(ctx -> sum(ctx.get(tile)));
            assertEquals(6, sum.join());
        }
    }

    /** Any library's future will do. */
    private static CompletionStage<Integer> fetch(Session session, Path file, byte[] into) {
        CompletableFuture<Integer> length = new CompletableFuture<>();
        session.executor().background(() -> {
            try {
                byte[] bytes = Files.readAllBytes(file);
                System.arraycopy(bytes, 0, into, 0, into.length);
                length.complete(bytes.length);
            } catch (Exception e) {
                length.completeExceptionally(e);
            }
        });
        return length;
    }

    @Test
    void aDriverRunsTheWork(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("tile"), new byte[] {1, 2, 3});
        try (Session session = Session.open()) {
            Handle<byte[]> tile = session.wrap("tile", new byte[3]);
            TaskGraph graph = session.graph();
            graph.task("read").writes(tile).startOn(session.executor()::background, ctx -> {
                try (InputStream in = Files.newInputStream(file)) {
                    return in.read(ctx.get(tile));
                }
            });
            Task<Integer> sum = graph.task("sum").reads(tile).call(ctx -> sum(ctx.get(tile)));
            assertEquals(6, sum.join());
        }
    }

    @Test
    void aResultIsAStage() {
        try (Session session = Session.open()) {
            Task<Integer> answer = session.graph().task("answer").call(ctx -> 42);
            CompletionStage<String> text = answer.stage().thenApply(value -> "it is " + value);
            assertEquals("it is 42", text.toCompletableFuture().join());
        }
    }

    @Test
    void manyThreadsSubmitWithinAWindow() {
        try (Session session = Session.open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph().window(100); // at most 100 live tasks: who submits more, waits
            CompletableFuture<?>[] submitters = new CompletableFuture<?>[4];
            for (int i = 0; i < submitters.length; i++) {
                submitters[i] = CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 1_000; n++) {
                        graph.task("count").updates(x).run(ctx -> ctx.get(x)[0]++);
                    }
                });
            }
            CompletableFuture.allOf(submitters).join();
            graph.await();
            assertEquals(4_000, x.value()[0]);
        }
    }

    private static int sum(byte[] bytes) {
        int sum = 0;
        for (byte value : bytes) {
            sum += value;
        }
        return sum;
    }
}
