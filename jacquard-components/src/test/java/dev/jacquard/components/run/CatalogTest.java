package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Components in jars of users: found, run, and refused. */
class CatalogTest {
    private static final String OPENS =
            "public Instance open(ComponentContext c) { return () -> { c.result(\"well\"); return true; }; }";

    @TempDir
    Path folder;

    private Jars jars;

    @BeforeEach
    void make() {
        jars = new Jars(folder);
    }

    @Test
    void jarsAddComponents() throws Exception {
        Catalog catalog = Catalog.of(
                List.of(jars.component("a.jar", "A", "of-a", OPENS), jars.component("b.jar", "A", "of-b", OPENS)));
        Programs programs = new Programs(folder);
        Report report = programs.run(programs.load(
                "components:\n  a: {component: of-a}\n  b: {component: of-b}\n", RunMode.PARALLEL, catalog));
        assertEquals(Map.of("a", "well", "b", "well"), report.values().get("results"));
        assertTrue(catalog.find("of-a", "here").getClass()
                != catalog.find("of-b", "here").getClass());
    }

    private static void assertRefused(String part, Path... all) {
        InputException error = assertThrows(InputException.class, () -> Catalog.of(List.of(all)));
        assertTrue(String.valueOf(error.getMessage()).contains(part), error.getMessage());
    }

    @Test
    void twoOfOneNameAreBothNamed() throws IOException {
        Path a = jars.component("a.jar", "A", "same", OPENS);
        Path b = jars.component("b.jar", "B", "same", OPENS);
        assertRefused("two components are called 'same': A in " + a + ", and B in " + b, a, b);
        assertRefused(
                "two components are called 'sum': dev.jacquard.components.kit.Kit$Sum in ",
                jars.component("c.jar", "C", "sum", OPENS));
    }

    @Test
    void programsInJavaAddTheirOwn() {
        Catalog catalog = Catalog.of(List.of());
        InputException error =
                assertThrows(InputException.class, () -> catalog.plus(List.of(catalog.find("sum", "here"))));
        assertTrue(String.valueOf(error.getMessage()).startsWith("two components are called 'sum': "));
    }

    @Test
    void whatIsNoJarOfComponentsIsRefused() throws IOException {
        Path none = folder.resolve("none.jar");
        assertRefused("--jar " + none + ": there is no such file", none);
        assertRefused("--jar " + folder + ": it is a folder", folder);
        assertRefused("it is no jar", Files.writeString(none, "PK but no more"));
        Path empty = jars.component("empty.jar", "A", "a", OPENS);
        try (var content = java.nio.file.FileSystems.newFileSystem(empty)) {
            Files.delete(content.getPath("META-INF/services/dev.jacquard.components.component.Component"));
        }
        assertRefused("it names no component; expected the file META-INF/services/", empty);
        Path wrong = jars.make("wrong.jar", "Wrong", "public class Wrong {}");
        assertRefused("--jar " + wrong + ": a component could not be made: ", wrong);
    }

    @Test
    void componentsThatThrowAreNamed() throws IOException {
        Path made =
                jars.component("made.jar", "Made", "made", OPENS + "public Made() { throw new Error(\"not today\"); }");
        assertRefused("--jar " + made + ": a component could not be made: ", made);
        assertRefused("Made", made);
        assertRefused("not today", made);
        Path named = jars.make("named.jar", "Named", """
                public class Named implements dev.jacquard.components.component.Component {
                    public String name() { throw new IllegalStateException("no name"); }
                    public String description() { return ""; }
                    public Instance open(dev.jacquard.components.component.ComponentContext c) { return () -> true; }
                }
                """);
        assertRefused("no name", named);
        Path early = jars.component(
                "early.jar",
                "Early",
                "early",
                OPENS + "static { if (true) throw new IllegalStateException(\"early\"); }");
        assertRefused(
                "Provider Early could not be instantiated: java.lang.ExceptionInInitializerError:"
                        + " java.lang.IllegalStateException: early",
                early);
        Path silent = jars.component(
                "silent.jar", "Silent", "silent", OPENS + "public Set<RunMode> modes() { return null; }");
        assertRefused(
                "--jar " + silent + ": component 'silent' (Silent) cannot return its modes: it returned null", silent);
        Path blank = jars.component("blank.jar", "Blank", " ", OPENS);
        assertRefused("a component has the name ' ': Blank in " + blank + "; expected a word, like 'scale'", blank);
        Path nothing = jars.component(
                "nothing.jar", "Nothing", "nothing", "public Instance open(ComponentContext c) { return null; }");
        Programs programs = new Programs(folder);
        Program program =
                programs.load("components: {a: {component: nothing}}\n", RunMode.SERIAL, Catalog.of(List.of(nothing)));
        Exception error = assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertEquals("component 'a' (nothing, Nothing) could not be opened: open() returned null", error.getMessage());
    }

    @Test
    void socketsThatChangeOrCannotBeToldAreRefused() throws IOException {
        assertSockets(
                "returns other sockets each time",
                "int i; public List<ComponentSocket<?>> sockets(Settings s) {"
                        + " return List.of(Sink.optional(\"in\" + i++, SocketType.of(String.class), \"\")); }");
        assertSockets(
                "declares the sink 'a' twice",
                "public List<ComponentSocket<?>> sockets(Settings s) { var a = Sink.optional(\"a\","
                        + " SocketType.of(String.class), \"\"); return List.of(a, a); }");
        assertSockets(
                "declares 2 sources that close a loop; expected one at most",
                "public List<ComponentSocket<?>> sockets(Settings s) { return List.of(Source.again(\"a\","
                        + " SocketType.of(String.class), \"\"),"
                        + " Source.again(\"b\", SocketType.of(String.class), \"\")); }");
        assertSockets(
                "cannot return its sockets: java.lang.IllegalStateException: no idea",
                "public List<ComponentSocket<?>> sockets(Settings s) {"
                        + " throw new IllegalStateException(\"no idea\"); }");
        assertSockets(
                "cannot return its sockets: it returned null",
                "public List<ComponentSocket<?>> sockets(Settings s) { return null; }");
        assertSockets(
                "has a setting 'within', which programs use themselves",
                "public List<Setting<?>> settings() { return List.of(Setting.optional(\"within\","
                        + " Setting.Type.flag(), \"true\", \"\")); }");
    }

    private void assertSockets(String part, String members) throws IOException {
        Path jar = jars.component("sockets.jar", "Sockets", "sockets", OPENS + members);
        Programs programs = new Programs(folder);
        Catalog catalog = Catalog.of(List.of(jar));
        InputException error = assertThrows(
                InputException.class,
                () -> programs.load("components: {a: {component: sockets}}\n", RunMode.SERIAL, catalog));
        assertTrue(String.valueOf(error.getMessage()).contains(part), error.getMessage());
    }
}
