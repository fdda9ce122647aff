package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/**
 * Jars with components, compiled from their sources.
 *
 * @param folder where they are made
 */
record Jars(Path folder) {
    private static final String SERVICES = "META-INF/services/dev.jacquard.components.component.Component";

    /**
     * Makes a jar with one component of the name {@code component}.
     *
     * @param members what its class has beside name and description
     */
    Path component(String jar, String className, String component, String members) throws IOException {
        return make(jar, className, """
                import dev.jacquard.components.component.*;
                import dev.jacquard.components.program.*;
                import java.util.*;
                public class %s implements Component {
                    public String name() { return "%s"; }
                    public String description() { return "a test"; }
                    %s
                }
                """.formatted(className, component, members));
    }

    Path make(String jar, String className, String source) throws IOException {
        Path classes = Files.createDirectories(folder.resolve(jar + "-classes"));
        Path file = classes.resolve(className + ".java");
        Files.writeString(file, source);
        StringWriter messages = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = new ArrayList<>(List.of("-d", classes.toString(), "-proc:none"));
            options.addAll(List.of("-classpath", System.getProperty("java.class.path", "")));
            String modules = System.getProperty("jdk.module.path");
            if (modules != null) {
                options.addAll(List.of("--module-path", modules, "--add-modules", "dev.jacquard.components"));
            }
            boolean well = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertEquals(true, well, messages.toString());
        }
        Path made = folder.resolve(jar);
        try (OutputStream out = Files.newOutputStream(made);
                JarOutputStream content = new JarOutputStream(out);
                Stream<Path> all = Files.walk(classes)) {
            for (Path next :
                    all.filter(its -> its.toString().endsWith(".class")).toList()) {
                content.putNextEntry(new ZipEntry(classes.relativize(next).toString()));
                content.write(Files.readAllBytes(next));
            }
            content.putNextEntry(new ZipEntry(SERVICES));
            content.write(className.getBytes(StandardCharsets.UTF_8));
        }
        return made;
    }
}
