package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more: another process, whose files must not grow beyond a limit, stands for it. */
@Timeout(180)
class FullDiskTest {
    private static final int LENGTH = 1 << 15;
    private static final long BYTES = LENGTH * 8L;

    @Test
    void theTaskThatFindsNoRoomNamesTheFolderAndTheBytes(@TempDir Path folder) throws Exception {
        Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "needs a shell whose ulimit bounds the size of files");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        shell.toString(),
                        "-c",
                        "ulimit -f 1024 && exec \"$0\" \"$@\"",
                        java,
                        "-Xmx64m",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDiskTest.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        assertEquals(0, process.waitFor(), told);
        assertTrue(told.contains("finds no room for its data"), told);
        assertTrue(told.contains(folder.toString()), told);
        assertTrue(told.contains("a replica of " + BYTES + " bytes cannot be written"), told);
        assertTrue(told.contains("bytes of that disk"), told);
        assertTrue(told.contains("and then 7.0"), told);
    }

    /** Ten data of 256 KiB where the host has room for two, and the disk for about three. */
    public static void main(String[] arguments) throws IOException {
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(2 * BYTES)
                .disk(Path.of(arguments[0]), 1L << 30, false)
                .open()) {
            List<Data> all = new ArrayList<>();
            try {
                for (int i = 0; i < 10; i++) {
                    Data data = session.data().vector("d" + i, DataType.FLOAT64, LENGTH);
                    all.add(data);
                    session.graph()
                            .task("write " + i)
                            .writes(data)
                            .run(context -> context.memory(data).setDouble(0, 7))
                            .join();
                }
            } catch (TaskFailedException e) {
                System.out.println(e.getMessage());
            }
            try {
                session.graph().await();
            } catch (TaskFailedException e) {
                // said already
            }
            session.data().free(all.get(1));
            Data first = all.getFirst();
            System.out.println("and then "
                    + session.graph()
                            .task("read")
                            .reads(first)
                            .call(context -> context.memory(first).getDouble(0))
                            .join());
        }
    }
}
