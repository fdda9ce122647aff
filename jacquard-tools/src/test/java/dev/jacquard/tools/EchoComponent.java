package dev.jacquard.tools;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A component for tests of the command line: writes a file, then ends as its setting says. */
public final class EchoComponent implements Application {
    private static final Setting<String> TEXT =
            Setting.optional("text", Setting.Type.text("a text"), "hello", "what it says");
    private static final Setting<End> END =
            Setting.optional("end", Setting.Type.choice(End.class), "well", "how it ends");

    /** How the run ends. */
    enum End {
        WELL,
        PRINTED,
        INPUT,
        WORK,
        FAULT,
        CANCELLED,
        SPACE,
        FILE,
        INT,
        TERM,
        HUP
    }

    /** Made by the service loader. */
    public EchoComponent() {}

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String description() {
        return "says what it is told";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(TEXT, END);
    }

    @Override
    public Report run(Job run) throws IOException {
        run.progress().start("echoing", 2);
        Files.writeString(run.output().file("echo.txt"), run.settings().get(TEXT));
        run.progress().advance(2);
        switch (run.settings().get(END)) {
            case WELL -> run.cancellation().check();
            case PRINTED -> System.out.println("by itself");
            case INPUT -> throw new IllegalStateException("task 'read' failed", new InputException("tile 3 is bad"));
            case WORK -> throw new IOException("the disk is full");
            case FAULT -> throw new IllegalStateException("this cannot be");
            case SPACE -> throw new IOException("No space left on device");
            case FILE ->
                throw new UncheckedIOException(new IOException(
                        "c.npy cannot be written: No space left on device",
                        new IOException("No space left on device")));
            case INT, TERM, HUP -> raise(run);
            case CANCELLED -> {
                run.cancellation().cancel();
                run.cancellation().check();
            }
        }
        String text = run.settings().get(TEXT);
        return new Report(List.of("said " + text), Map.of("said", text));
    }

    /** Sends the process a signal, and ends as code does that is interrupted at what it does then. */
    private static void raise(Job run) throws IOException {
        CountDownLatch cancelled = new CountDownLatch(1);
        run.cancellation().onCancel(cancelled::countDown);
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Object interrupt = signal.getConstructor(String.class)
                    .newInstance(run.settings().get(END).name());
            signal.getMethod("raise", signal).invoke(null, interrupt);
            if (!cancelled.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the signal did not cancel the run within 10 s");
            }
        } catch (InterruptedException e) {
            if (!run.cancellation().isCancelled()) { // else the signal has interrupted it
                throw new AssertionError(e);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM has no signals", e);
        }
        throw new IOException("closed by interrupt");
    }
}
