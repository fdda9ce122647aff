package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's project, outside of this build, that is built from the installed artifacts with the lines of
 * docs/library.md.
 */
@Timeout(170)
@SuppressWarnings("StringSplitter") // class paths and lists of names
class LibraryIT {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final List<String> LIBRARIES = List.of(
            "base",
            "cluster",
            "mpi",
            "insight",
            "drawing",
            "engine",
            "memory",
            "core",
            "flow",
            "expressions",
            "components",
            "numerics",
            "devices",
            "libraries");

    private static final String MAIN = """
            package my.program;

            import dev.jacquard.memory.data.Data;
            import dev.jacquard.memory.data.Handle;
            import dev.jacquard.memory.device.KernelSource;
            import dev.jacquard.memory.device.KernelSource.Language;
            import dev.jacquard.memory.device.SourceKernel;
            import dev.jacquard.core.kernel.Kernel;
            import dev.jacquard.base.machine.ExecutionTarget;
            import dev.jacquard.core.session.Session;
            import dev.jacquard.flow.FlowRun;
            import dev.jacquard.flow.FlowGraph;
            import dev.jacquard.flow.FlowTask;
            import my.program.closed.Closed;
            import my.program.kernels.Open;

            public final class Main {
                public static void main(String[] args) throws Exception {
                    Kernel scale = Kernel.named("scale")
                            .parameters("a", "x")
                            .onHost(arguments -> arguments.memory("x").setDouble(0, arguments.number("a")))
                            .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(
                                    KernelSource.resource(Language.OPENCL_C, Open.class, "scale.cl", "scale")));
                    FlowGraph<Integer, Integer> squares = FlowGraph.build("squares", g -> {
                        FlowTask<Integer, Integer> square = g.task("square", 2, () -> (n, out) -> out.emit(n * n));
                        g.input().to(square).to(g.output());
                    });
                    try (Session session = Session.builder().workers(2).devices("emulated0").open()) {
                        double[] home = {1};
                        Data x = session.data().vector("x", home);
                        session.graph().task("scale").updates(x).run(scale, 42.0);
                        session.data().fetch(x);
                        System.out.println("scaled to " + home[0]);
                        try (FlowRun<Integer, Integer> run = squares.start(session)) {
                            run.send(7);
                            run.finish();
                            for (int n : run) System.out.println("squared to " + n);
                        }
                    }
                    System.out.println("devices are looked for: "
                            + dev.jacquard.memory.device.Devices.discover().absences().stream()
                                    .noneMatch(why -> why.contains("jacquard-devices")));
                    try {
                        KernelSource.resource(Language.OPENCL_C, Closed.class, "scale.cl", "scale");
                        System.out.println("read");
                    } catch (IllegalArgumentException e) {
                        System.out.println(e.getMessage());
                    }
                }
            }
            """;

    private static final String MODULE = """
            module my.program {
                requires dev.jacquard.flow;
                opens my.program.kernels to dev.jacquard.memory;
            }
            """;

    @TempDir
    static Path folder;

    private static List<String> jars = List.of();

    private static String page() throws IOException {
        return Files.readString(PROJECT.resolve("docs/library.md"));
    }

    /** Puts the artifacts where {@code install} would, and builds the project with Maven. */
    @BeforeAll
    static void build() throws Exception {
        assumeTrue(
                Files.exists(PROJECT.resolve("jacquard-core/target/jacquard-core-" + version() + ".jar")),
                "the modules are packaged");
        Path group = folder.resolve("repository/dev/jacquard");
        install(group, "jacquard", PROJECT.resolve("pom.xml"), null);
        for (String one : LIBRARIES) {
            Path module = PROJECT.resolve("jacquard-" + one);
            Path jar = module.resolve("target/jacquard-" + one + "-" + version() + ".jar");
            install(group, "jacquard-" + one, module.resolve("pom.xml"), jar);
        }
        Path user = folder.resolve("user");
        write(user.resolve("pom.xml"), pom());
        write(user.resolve("src/main/java/my/program/Main.java"), MAIN);
        write(user.resolve("src/main/java/module-info.java"), MODULE);
        for (String one : List.of("kernels.Open", "closed.Closed")) {
            String[] name = one.split("\\.");
            write(
                    user.resolve("src/main/java/my/program/" + name[0] + '/' + name[1] + ".java"),
                    "package my.program." + name[0] + ";\npublic final class " + name[1] + " {}\n");
            write(
                    user.resolve("src/main/resources/my/program/" + name[0] + "/scale.cl"),
                    "kernel void scale(double a, global double* x, long n) { x[get_global_id(0)] = a; }\n");
        }
        link(Path.of(System.getProperty("jacquard.repository")), folder.resolve("repository"));
        Path list = user.resolve("class-path");
        run(
                user,
                "mvn",
                "-o",
                "-q",
                "-B",
                "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dmdep.outputFile=" + list,
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath");
        List<String> all = new ArrayList<>();
        for (String jar : Files.readString(list).strip().split(File.pathSeparator)) {
            all.add(Path.of(jar).toRealPath().toString());
        }
        buildComponent();
        buildExamples();
        unlink(folder.resolve("repository"));
        unlink(folder.resolve("repository/dev"));
        all.add(user.resolve("target/my-program-1.jar").toString());
        jars = List.copyOf(all);
    }

    /** Builds the component of docs/programs.md, in a project with nothing else. */
    private static void buildComponent() throws Exception {
        String docs = Files.readString(PROJECT.resolve("docs/programs.md"));
        Matcher source = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(docs);
        assertTrue(source.find());
        Path project = folder.resolve("component");
        String components = "<dependency><groupId>dev.jacquard</groupId><artifactId>jacquard-components</artifactId>"
                + "<version>" + version() + "</version></dependency>";
        write(project.resolve("pom.xml"), pom(components));
        write(project.resolve("src/main/java/Scale.java"), source.group(1));
        write(
                project.resolve("src/main/resources/META-INF/services/dev.jacquard.components.component.Component"),
                "Scale\n");
        run(project, "mvn", "-o", "-q", "-B", "-Dmaven.repo.local=" + folder.resolve("repository"), "package");
    }

    /** Builds the example project from its own pom. */
    private static void buildExamples() throws Exception {
        Path examples = PROJECT.resolve("examples/java");
        Path project = folder.resolve("examples");
        try (Stream<Path> files = Files.walk(examples)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = examples.relativize(file);
                if (!relative.startsWith("target")) {
                    Path copy = project.resolve(relative);
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        run(project, "mvn", "-o", "-q", "-B", "-Dmaven.repo.local=" + folder.resolve("repository"), "package");
    }

    /** Makes all that is in the build's own repository be in another one too, but for what is there already. */
    private static void link(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path one : all.toList()) {
                Path place = to.resolve(one.getFileName());
                if (!Files.exists(place)) {
                    Files.createSymbolicLink(place, one.toAbsolutePath());
                } else if (place.endsWith("repository/dev")) {
                    link(one, place);
                }
            }
        }
    }

    private static void unlink(Path from) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path one : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(one);
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void install(Path group, String artifact, Path pom, @Nullable Path jar) throws IOException {
        Path place = Files.createDirectories(group.resolve(artifact).resolve(version()));
        Files.copy(pom, place.resolve(artifact + "-" + version() + ".pom"));
        if (jar != null) {
            Files.copy(jar, place.resolve(artifact + "-" + version() + ".jar"));
        }
    }

    private static String version() throws IOException {
        Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(page());
        assertTrue(version.find());
        return version.group(1);
    }

    private static String pom() throws IOException {
        Matcher lines = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL).matcher(page());
        assertTrue(lines.find());
        return pom(lines.group(1));
    }

    private static String pom(String dependencies) {
        String plugins = Stream.of(
                        "compiler:3.16.0", "resources:3.3.1", "jar:3.4.2", "surefire:3.6.1", "dependency:3.8.1")
                .map(one -> one.split(":"))
                .map(one -> "<plugin><artifactId>maven-" + one[0] + "-plugin</artifactId><version>" + one[1]
                        + "</version></plugin>")
                .collect(Collectors.joining());
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>my</groupId>
                  <artifactId>my-program</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>25</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencies>%s</dependencies>
                  <build><plugins>%s</plugins></build>
                </project>
                """.formatted(dependencies, plugins);
    }

    private static String run(Path in, String... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    /** None of them brings BLAS and FFT, which need libraries of others. */
    @Test
    void nothingComesThatWasNotAskedFor() {
        assertEquals(
                List.of(
                        "jackson-core-3.2.4.jar", // of the profiles of flow graphs
                        "jacquard-base-0.1.0-SNAPSHOT.jar",
                        "jacquard-core-0.1.0-SNAPSHOT.jar",
                        "jacquard-devices-0.1.0-SNAPSHOT.jar",
                        "jacquard-drawing-0.1.0-SNAPSHOT.jar",
                        "jacquard-engine-0.1.0-SNAPSHOT.jar",
                        "jacquard-flow-0.1.0-SNAPSHOT.jar",
                        "jacquard-insight-0.1.0-SNAPSHOT.jar",
                        "jacquard-memory-0.1.0-SNAPSHOT.jar",
                        "my-program-1.jar"),
                jars.stream()
                        .map(jar -> String.valueOf(Path.of(jar).getFileName()))
                        .filter(name -> !name.startsWith("jspecify"))
                        .sorted()
                        .toList());
    }

    @Test
    void itRunsOnTheClassPath() throws Exception {
        String text = run(
                folder,
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(File.pathSeparator, jars),
                "my.program.Main");
        assertEquals("scaled to 42.0\nsquared to 49\ndevices are looked for: true\nread\n", text);
    }

    @Test
    void itRunsOnTheModulePath() throws Exception {
        String text = run(
                folder,
                JAVA.toString(),
                "--enable-native-access=dev.jacquard.base",
                "--add-modules",
                "dev.jacquard.devices",
                "-p",
                String.join(File.pathSeparator, jars),
                "-m",
                "my.program/my.program.Main");
        assertEquals(
                "scaled to 42.0\nsquared to 49\ndevices are looked for: true\n"
                        + "the kernel source \"scale.cl\" next to my.program.closed.Closed cannot be read,"
                        + " since module my.program does not open package my.program.closed:"
                        + " add \"opens my.program.closed to dev.jacquard.memory;\" to its module-info.java\n",
                text);
    }

    /** A user's component in a jar, and a program that names it: from the documentation alone. */
    @Test
    void aComponentIsFoundInItsJar() throws Exception {
        Path program = folder.resolve("scaled.yaml");
        write(program, """
                components:
                  three: {component: number, value: 3}
                  four-times: {component: scale, factor: 4}
                  result: {component: show}
                wires: {four-times.value: three.value, result.value: four-times.value}
                """);
        String text = run(
                folder,
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.jacquard.tools.Main",
                "run",
                program.toString(),
                "--jar",
                folder.resolve("component/target/my-program-1.jar").toString());
        assertTrue(text.startsWith("result: 12.0\n"), text);
    }

    /** By the lines of its own page. */
    @Test
    void theExampleProjectRunsOnTheModulePath() throws Exception {
        String text = run(
                folder.resolve("examples"),
                JAVA.toString(),
                "--enable-native-access=dev.jacquard.base,dev.jacquard.expressions",
                "-p",
                "target/java-examples-1.jar" + File.pathSeparator + "target/lib",
                "-m",
                "example/example.Cholesky");
        assertTrue(text.startsWith("35 tasks: 35 done"), text);
    }

    @Test
    void theComponentOfTheExampleProjectRunsInAProgram() throws Exception {
        String text = run(
                folder,
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.jacquard.tools.Main",
                "run",
                folder.resolve("examples/root.yaml").toString(),
                "--jar",
                folder.resolve("examples/target/java-examples-1.jar").toString(),
                "--out",
                folder.resolve("root").toString());
        assertTrue(text.contains("answer: 1.414213562373095"), text);
    }
}
