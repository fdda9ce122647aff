package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.RunMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of components that fail. */
class ReasonsTest {
    @TempDir
    Path folder;

    /** The JDK's frames are above that of the user, and those of Jacquard below. */
    @Test
    void thePlaceInTheUsersJarIsNamed() throws IOException {
        Path jar = new Jars(folder).component("parse.jar", "Parse", "parse", """
                public Instance open(ComponentContext context) {
                    return () -> Parse.number("x1") > 0;
                }
                static int number(String text) {
                    return Integer.parseInt(text);
                }
                """);
        Catalog catalog = Catalog.of(List.of(jar));
        Programs programs = new Programs(folder);
        Throwable failure = assertThrows(
                ComponentFailedException.class,
                () -> programs.run(programs.load("components: {p: {component: parse}}", RunMode.SERIAL, catalog)));
        assertEquals(
                "component 'p' (parse, Parse) failed: java.lang.NumberFormatException: For input string: \"x1\", at"
                        + " Parse.number(Parse.java:11)",
                failure.getMessage());
    }

    @Test
    void componentsOfTheClassPathHaveNoPlace() {
        Component component = Catalog.of(List.of()).find("fail", "a test");
        assertEquals("java.lang.IllegalStateException: no", Reasons.of(new IllegalStateException("no"), component));
    }
}
