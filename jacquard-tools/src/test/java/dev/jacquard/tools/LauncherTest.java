package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The launcher, with a JVM that only shows its arguments; and the help of scripts. */
class LauncherTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path home;

    @BeforeEach
    void makeABuildThatIsThere() throws IOException {
        Files.createDirectories(home.resolve("scripts"));
        Files.createDirectories(home.resolve("jdk/bin"));
        Files.createDirectories(home.resolve("jacquard-core/src/main"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("jacquard-core/pom.xml"), "");
        Files.copy(PROJECT.resolve("jacquard"), home.resolve("jacquard"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(PROJECT.resolve("scripts/find-jdk"), home.resolve("scripts/find-jdk"));
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        script("jdk/bin/javac", "");
        script("jdk/bin/java", "printf '%s\\n' \"$@\"\n");
        Files.createDirectories(home.resolve(".dist/app-1/jars"));
        Files.writeString(home.resolve(".dist/app-1/jars/tools.jar"), "");
        Files.writeString(home.resolve(".dist/current"), "app-1");
        Files.writeString(home.resolve(".dist/app-1/stamp"), "");
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> arguments(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("jacquard").toString());
        builder.command().addAll(List.of(command));
        List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JACQUARD_JAVA_OPTIONS", "GLIBC_TUNABLES")
                .forEach(builder.environment()::remove);
        builder.environment().put("JACQUARD_JDK", home.resolve("jdk").toString());
        builder.environment().putAll(environment);
        return output(builder).lines().toList();
    }

    /** A pipe waits for all lines: the last ones may come when the process that was started is over. */
    private static String output(ProcessBuilder builder) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; \"$0\" \"$@\" 2>&1 | cat"));
        command.addAll(builder.command());
        builder.command(command);
        Process process = builder.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    @Test
    void theCommandComesLast() throws Exception {
        List<String> all = arguments(Map.of(), "run", "my file.yaml");
        assertEquals(
                List.of("dev.jacquard.tools.Main", "run", "my file.yaml"), all.subList(all.size() - 3, all.size()));
        assertTrue(all.contains("-XX:+UseParallelGC"), all.toString());
        assertTrue(all.contains("-XX:MaxNewSize=128m"), all.toString());
    }

    /** The JVM finds no files with letters beyond ASCII where there is no locale. */
    @ParameterizedTest
    @CsvSource({"'', '', '', C.UTF-8", "C, de_DE.UTF-8, '', C.UTF-8", "'', C.UTF-8, C, ''", "'', '', en_US.UTF-8, ''"})
    void namesOfFilesAreInUtf8WithoutALocale(String all, String types, String language, String expected)
            throws Exception {
        script("jdk/bin/java", "echo \"for the JVM: $LC_ALL.\"\n");
        Map<String, String> environment = Map.of("LC_ALL", all, "LC_CTYPE", types, "LANG", language);
        assertEquals(
                "for the JVM: " + expected + ".",
                arguments(environment, "run", "x").getLast());
    }

    @Test
    void aJdkIsFoundWithoutAHomeFolder() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("jacquard").toString(), "run", "x");
        builder.environment().keySet().remove("HOME");
        builder.environment().put("JACQUARD_JDK", home.resolve("jdk").toString());
        assertTrue(output(builder).endsWith("run\nx\n"));
    }

    /** The JVM does not start from an AOT cache where the young generation takes all of the heap. */
    @Test
    void smallHeapsAreLeftToTheJvm() throws Exception {
        for (String heap : List.of("-Xmx128m", "-Xmx131072k", "-Xmx134217728", "-Xmx64M")) {
            List<String> all = arguments(Map.of("JACQUARD_JAVA_OPTIONS", heap), "run", "f.yaml");
            assertTrue(all.stream().noneMatch(one -> one.contains("NewSize")), all.toString());
        }
        for (String heap : List.of("-Xmx2g", "-Xmx300m")) {
            List<String> all = arguments(Map.of("JACQUARD_JAVA_OPTIONS", heap), "run", "f.yaml");
            assertTrue(all.contains("-XX:MaxNewSize=128m"), all.toString());
        }
    }

    /** The JVM refuses two collectors. */
    @ParameterizedTest
    @CsvSource({
        "JACQUARD_JAVA_OPTIONS, -XX:+UseSerialGC",
        "JDK_JAVA_OPTIONS, -Xmx100m -XX:+UseZGC",
        "JAVA_TOOL_OPTIONS, -XX:+UseG1GC -Xmx100m"
    })
    void theUsersCollectorIsTheOnlyOne(String variable, String options) throws Exception {
        List<String> all = arguments(Map.of(variable, options), "run", "x");
        assertFalse(all.contains("-XX:+UseParallelGC"), all.toString());
        assertTrue(arguments(Map.of(variable, "-Xmx100m"), "run", "x").contains("-XX:+UseParallelGC"));
    }

    @ParameterizedTest
    @CsvSource({"-Xmn16m, run", "-XX:NewSize=16m, run", "-XX:MaxNewSize=16m, bench", "-XX:NewRatio=3, bench"})
    void theUsersSizesAreTheOnlyOnes(String option, String command) throws Exception {
        List<String> all = arguments(Map.of("JACQUARD_JAVA_OPTIONS", option), command, "x");
        assertFalse(all.contains("-XX:MaxNewSize=128m") || all.contains("-Xmn512m"), all.toString());
        assertEquals(1, all.stream().filter(option::equals).count());
    }

    @Test
    void onlyBenchmarksThatRunNeedTheVectorModule() throws Exception {
        String module = "--add-modules=jdk.incubator.vector";
        assertTrue(arguments(Map.of(), "bench", "dynamic").contains(module));
        assertFalse(arguments(Map.of(), "bench", "--help").contains(module));
        assertFalse(arguments(Map.of(), "help", "bench").contains(module));
        assertFalse(arguments(Map.of(), "run", "x").contains(module));
    }

    /** The build has written down which components those are. */
    @Test
    void programsWhoseComponentComputesInLanesGetTheVectorModule() throws Exception {
        String module = "--add-modules=jdk.incubator.vector";
        Path app = home.resolve(".dist")
                .resolve(Files.readString(home.resolve(".dist/current")).strip());
        Files.writeString(app.resolve("lanes"), "heat\npde\n");
        for (String line : List.of(
                "component: pde",
                "component:   'heat'  # a comment",
                "component: \"pde\"\r",
                "  flow: {component: pde}")) {
            Path program = Files.writeString(home.resolve("program.yaml"), "# first\n" + line + "\n");
            assertTrue(arguments(Map.of(), "run", program.toString()).contains(module), line);
            assertFalse(arguments(Map.of(), "replay", program.toString()).contains(module), line);
        }
        for (String line : List.of("component: stitching", "subcomponent: pde", "component: pd", "component: pde2")) {
            Path program = Files.writeString(home.resolve("program.yaml"), line + "\n");
            assertFalse(arguments(Map.of(), "run", program.toString()).contains(module), line);
        }
    }

    @Test
    void javaProgramsOnFieldsGetTheVectorModule() throws Exception {
        String module = "--add-modules=jdk.incubator.vector";
        String fields = Files.writeString(home.resolve("Fields.java"), "import module dev.jacquard.expressions;\n")
                .toString();
        String tasks = Files.writeString(home.resolve("Tasks.java"), "import module dev.jacquard.core;\n")
                .toString();
        assertTrue(arguments(Map.of(), "java", fields, "--help").contains(module));
        assertFalse(arguments(Map.of(), "java", tasks, "--help").contains(module));
        assertFalse(arguments(Map.of(), "java", tasks, "--help").contains("-XX:TieredStopAtLevel=1"));
        assertTrue(arguments(Map.of(), "java", "--help").contains("-XX:TieredStopAtLevel=1"));
    }

    /** A cache is good for the modules that it was made with. */
    @Test
    void programsInLanesHaveACacheOfTheirOwn() throws Exception {
        Path app = home.resolve(".dist/app-1");
        Files.writeString(app.resolve("lanes"), "heat\n");
        Files.writeString(app.resolve("jacquard.aot"), "");
        Files.writeString(app.resolve("lanes.jsa"), "");
        Path program = Files.writeString(home.resolve("program.yaml"), "component: heat\n");
        assertTrue(arguments(Map.of(), "run", program.toString())
                .contains("-XX:SharedArchiveFile=" + app.resolve("lanes.jsa")));
        assertTrue(arguments(Map.of(), "run", "x").contains("-XX:AOTCache=" + app.resolve("jacquard.aot")));
    }

    /** The JVM calls it an error that it has no use for an archive, or for its own below that. */
    @Test
    void theJvmLogsNothingOfCaches() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        Path archive = home.resolve("lanes.jsa");
        String module = "--add-modules=jdk.incubator.vector";
        List<String> objects = List.of(java.toString(), "-XX:+UseCompactObjectHeaders", "-XX:+UseParallelGC");
        output(new ProcessBuilder(
                Stream.concat(objects.stream(), Stream.of(module, "-XX:ArchiveClassesAtExit=" + archive, "--version"))
                        .toList()));
        List<String> flags = arguments(Map.of(), "bench", "x").stream()
                .filter(each -> each.startsWith("-X") || each.equals(module))
                .filter(each -> !each.startsWith("-Xmn"))
                .toList();
        for (String heap : List.of("-Xmx64m", "-Xmx40g")) { // references of other lengths
            String text = output(new ProcessBuilder(Stream.of(
                            Stream.of(java.toString()),
                            flags.stream(),
                            Stream.of("-XX:SharedArchiveFile=" + archive, heap, "--version"))
                    .flatMap(each -> each)
                    .toList()));
            assertFalse(text.contains("error"), text);
        }
    }

    /** The JVM's line about options in the environment comes before its warning of the Vector API. */
    @Test
    void theWarningOfTheVectorApiIsLeftOutBehindALineAboutOptions() throws Exception {
        script("jdk/bin/java", """
                echo 'NOTE: Picked up JDK_JAVA_OPTIONS: -Xmx1g' >&2
                echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g' >&2
                echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2
                echo 'WARNING: Using incubator modules: of the program' >&2
                """);
        assertEquals(
                List.of(
                        "NOTE: Picked up JDK_JAVA_OPTIONS: -Xmx1g",
                        "Picked up JAVA_TOOL_OPTIONS: -Xmx1g",
                        "WARNING: Using incubator modules: of the program"),
                arguments(Map.of(), "bench", "x"));
    }

    /** The JVM refuses some pairs of options for caches. */
    @ParameterizedTest
    @CsvSource({"-Xshare:off", "-XX:AOTMode=off", "-XX:AOTCache=x", "-XX:SharedArchiveFile=x"})
    void theUsersOptionsForCachesAreTheOnlyOnes(String option) throws Exception {
        Files.writeString(home.resolve(".dist/app-1/jacquard.aot"), "");
        Files.writeString(home.resolve(".dist/app-1/lanes.jsa"), "");
        for (String command : List.of("run", "bench")) {
            List<String> all = arguments(Map.of("JACQUARD_JAVA_OPTIONS", option), command, "x");
            assertEquals(
                    List.of(option),
                    all.stream()
                            .filter(each -> each.matches("-Xshare:.*|-XX:(AOT|SharedArchive).*"))
                            .toList());
        }
    }

    /** A cache is of no use to a JVM with other headers or references. */
    @ParameterizedTest
    @CsvSource({
        "-XX:-UseCompactObjectHeaders, false",
        "-XX:-UseCompressedOops, false",
        "-XX:+UseZGC, false",
        "-XX:+UseSerialGC, true",
        "-XX:+UseCompactObjectHeaders, true"
    })
    void noAotCacheForObjectsOfAnotherForm(String option, boolean cached) throws Exception {
        Files.writeString(home.resolve(".dist/app-1/jacquard.aot"), "");
        List<String> all = arguments(Map.of("JACQUARD_JAVA_OPTIONS", option), "run", "x");
        assertEquals(cached, all.stream().anyMatch(each -> each.startsWith("-XX:AOTCache=")), all::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "run, , glibc.malloc.hugetlb=1",
        "bench, , glibc.malloc.hugetlb=1",
        "replay, , glibc.malloc.hugetlb=1",
        "java, , glibc.malloc.hugetlb=1",
        "components, , none",
        "run, glibc.malloc.check=1, glibc.malloc.check=1"
    })
    void commandsThatComputeAskForHugePagesUnlessTheUserSaysOtherwise(String command, String users, String asked)
            throws Exception {
        script("jdk/bin/java", "printf '%s\\n' \"${GLIBC_TUNABLES-none}\"\n");
        Map<String, String> environment = users == null ? Map.of() : Map.of("GLIBC_TUNABLES", users);
        assertEquals(List.of(asked), arguments(environment, command, "x"));
    }

    /** Maven only adds to the folder of jars: the jar of a module that was renamed would offer its services twice. */
    @Test
    void aBuildTakesNoJarOfAModuleThatIsGone() throws Exception {
        Files.delete(home.resolve(".dist/current"));
        Path target = Files.createDirectories(home.resolve("jacquard-tools/target"));
        Files.writeString(Files.createDirectories(target.resolve("jars")).resolve("gone.jar"), "");
        script("build", "cd " + target + " && mkdir -p jars && touch jars/new.jar jacquard-tools-1.jar\n");
        String all = arguments(Map.of(), "run", "x").toString();
        assertTrue(all.contains("/jars/new.jar"), all);
        assertFalse(all.contains("/gone.jar"), all);
    }

    static Stream<Path> scripts() throws IOException {
        try (Stream<Path> all = Files.list(PROJECT.resolve("scripts"))) {
            return all
                    .filter(Files::isExecutable)
                    .filter(file -> !file.endsWith("find-jdk")) // is sourced
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void scriptsHaveHelp(Path script) throws Exception {
        String text = output(new ProcessBuilder(script.toString(), "--help"));
        assertTrue(text.contains("usage: scripts/" + script.getFileName()), text);
        assertFalse(text.contains("#!"), text);
    }
}
