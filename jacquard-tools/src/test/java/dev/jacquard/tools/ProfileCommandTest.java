package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.report.FlowProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path profile(String name, int items) throws IOException {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "numbers",
                g -> g.input()
                        .to(g.<Integer, Integer>task("negate", 2, () -> (n, to) -> to.emit(-n)))
                        .to(g.output()));
        Path file = folder.resolve(name);
        try (Session session = Session.open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            for (int n = 0; n < items; n++) {
                run.send(n);
            }
            run.finish();
            run.await();
            run.profile().writeJson(file);
        }
        return file;
    }

    @Test
    void oneProfileIsShown() throws IOException {
        Path file = profile("one.json", 10);
        assertEquals(0, run("profile", file));
        assertTrue(out.toString().contains("bottleneck: negate"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("profile", file, "--json"));
        assertEquals(FlowProfile.readJson(file), FlowProfile.ofJson(out.toString()));
    }

    @Test
    void twoProfilesAreCompared() throws IOException {
        Path before = profile("before.json", 10);
        Path after = profile("after.json", 20);
        assertEquals(0, run("profile", before, after));
        assertTrue(out.toString().contains("negate") && out.toString().contains("; then negate"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("profile", before, after, "--json"));
        assertTrue(out.toString().contains("\"items\" : 20"), out.toString());
    }

    @Test
    void filesThatAreNoProfilesAreRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{}");
        assertEquals(2, run("profile", other));
        assertTrue(err.toString().contains("other.json: this is no profile of a flow graph"), err.toString());
        assertEquals(2, run("profile", folder.resolve("none.json")));
        assertTrue(err.toString().contains("none.json: there is no such file"), err.toString());
        assertEquals(2, run("profile"));
    }

    private int run(Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = String.valueOf(arguments[i]);
        }
        return Main.run(texts, new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false));
    }
}
