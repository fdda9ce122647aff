package dev.jacquard.tools;

import dev.jacquard.apps.program.Component;
import dev.jacquard.apps.program.InputException;
import dev.jacquard.apps.program.Report;
import dev.jacquard.apps.program.Run;
import dev.jacquard.apps.program.Setting;
import dev.jacquard.apps.program.SettingType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** A component for tests of the command line: writes a file, then ends as its setting says. */
public final class EchoComponent implements Component {
    private static final Setting<String> TEXT =
            Setting.optional("text", SettingType.text("a text"), "hello", "what it says");
    private static final Setting<End> END =
            Setting.optional("end", SettingType.choice(End.class), "well", "how it ends");

    /** How the run ends. */
    enum End {
        WELL,
        INPUT,
        WORK,
        FAULT,
        CANCELLED
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
    public Report run(Run run) throws IOException {
        run.progress().start("echoing", 2);
        Files.writeString(run.output().file("echo.txt"), run.settings().get(TEXT));
        run.progress().advance(2);
        switch (run.settings().get(END)) {
            case WELL -> run.cancellation().check();
            case INPUT -> throw new IllegalStateException("task 'read' failed", new InputException("tile 3 is bad"));
            case WORK -> throw new IOException("the disk is full");
            case FAULT -> throw new IllegalStateException("this cannot be");
            case CANCELLED -> {
                run.cancellation().cancel();
                run.cancellation().check();
            }
        }
        String text = run.settings().get(TEXT);
        return new Report(List.of("said " + text), Map.of("said", text));
    }
}
