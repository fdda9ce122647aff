package dev.jacquard.tools.walls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures the walls: for each, the places that break it, each with its number. */
final class Walls {
    /** Lines beyond which a file is long. */
    static final int LONG_FILE = 400;
    /** Lines beyond which a method is long. */
    static final int LONG_METHOD = 60;
    /** Methods from which a type has many. */
    static final int MANY_METHODS = 30;
    /** Columns of a line. */
    static final int COLUMNS = 120;
    /** Types below which the arrows within a package are few enough to be read. */
    private static final int SMALL_PACKAGE = 20;
    /** Percent of the arrows within a package that may run back up. */
    private static final int ARROWS_UP = 10;

    private static final Pattern WORDS =
            Pattern.compile("\\b(whoever|somebody|nobody|likewise|so many|once more)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern STATED = Pattern.compile("<p>Imports: (.*?)[.](?=\\s)", Pattern.DOTALL);
    private static final Pattern BOUND =
            Pattern.compile("Binding\\s*[.]of\\(\\s*MethodHandles[.]lookup\\(\\),\\s*(\\w+)[.]class\\)");
    private static final Pattern EXPORT = Pattern.compile("exports\\s+dev[.]jacquard[.]([a-z.]+)(\\s+to)?");

    private final Path project;
    private final List<SourceFile> files;

    Walls(Path project) throws IOException {
        this.project = project;
        this.files = SourceFile.all(project, false);
    }

    /** Prints all figures. The argument: the project's folder. */
    public static void main(String[] args) throws IOException {
        new Walls(Path.of(args[0]).toAbsolutePath().normalize()).print(new StringBuilder());
    }

    private void print(StringBuilder out) throws IOException {
        long all = lines(files);
        out.append(all).append(" lines of main code\n");
        linesOfModules()
                .forEach((module, lines) ->
                        out.append(String.format(Locale.ROOT, "  %s %d (%d %%)%n", module, lines, 100 * lines / all)));
        publicShares()
                .forEach((what, share) ->
                        out.append(String.format(Locale.ROOT, "public types, %s: %d %%%n", what, share)));
        arrows(out);
        section(out, "types with " + MANY_METHODS + " methods or more", manyMethods());
        section(out, "files of more than " + LONG_FILE + " lines", longFiles(files));
        section(out, "methods of more than " + LONG_METHOD + " lines", longMethods());
        section(out, "Object[] in public signatures", objectArrays());
        section(out, "lines of more than " + COLUMNS + " columns", columns());
        section(out, "words in comments", words());
        section(out, "Javadocs that begin with What, Whether, Who", questions());
        out.append("uses per 10,000 words of comment\n");
        WordRates.of(files)
                .forEach((words, rate) -> out.append(String.format(Locale.ROOT, "  %s: %.1f%n", words, rate)));
        new Documents(project).print(out);
        System.out.print(out);
    }

    private void arrows(StringBuilder out) {
        out.append("arrows within a package: all, within cycles, back up\n");
        packages().forEach((pkg, its) -> {
            if (its.size() >= SMALL_PACKAGE) {
                Arrows arrows = new Arrows(its);
                out.append(String.format(
                        Locale.ROOT,
                        "  %s %d %d %d (%d %%)%n",
                        pkg,
                        arrows.all(),
                        arrows.inCycles(),
                        arrows.backUp(),
                        arrows.percentBackUp()));
            }
        });
    }

    private Map<String, List<SourceFile>> packages() {
        return files.stream().collect(Collectors.groupingBy(SourceFile::pkg, TreeMap::new, Collectors.toList()));
    }

    private static void section(StringBuilder out, String title, Map<String, Integer> places) {
        int sum = places.values().stream().mapToInt(Integer::intValue).sum();
        out.append(title)
                .append(": ")
                .append(places.size())
                .append(" places, ")
                .append(sum)
                .append('\n');
        places.forEach((place, number) ->
                out.append("  ").append(place).append(' ').append(number).append('\n'));
    }

    private static long lines(Collection<SourceFile> of) {
        return of.stream().mapToLong(file -> file.lines().size()).sum();
    }

    /** All files of main code. */
    List<SourceFile> files() {
        return files;
    }

    /** The lines of main code of each module. */
    Map<String, Long> linesOfModules() {
        return files.stream()
                .collect(Collectors.groupingBy(
                        SourceFile::module,
                        TreeMap::new,
                        Collectors.summingLong(file -> file.lines().size())));
    }

    /**
     * The packages that a module exports, to all or to some; without {@code dev.jacquard.}. A module that describes
     * itself nowhere exports all.
     */
    Map<String, Set<String>> exports(boolean toAll) throws IOException {
        Map<String, Set<String>> exports = new TreeMap<>();
        try (Stream<Path> modules = Files.list(project)) {
            for (Path module : modules.sorted().toList()) {
                Path info = module.resolve("src/main/java/module-info.java");
                String named = String.valueOf(module.getFileName());
                if (!Files.exists(info)) {
                    files.stream()
                            .filter(file -> file.module().equals(named))
                            .forEach(file -> exports.computeIfAbsent(named, name -> new TreeSet<>())
                                    .add(file.pkg()));
                    continue;
                }
                Set<String> its = exports.computeIfAbsent(named, name -> new TreeSet<>());
                Matcher export = EXPORT.matcher(Files.readString(info));
                while (export.find()) {
                    if (!toAll || export.group(2) == null) {
                        its.add(export.group(1));
                    }
                }
            }
        }
        return exports;
    }

    /**
     * Percent of the top-level types that are public: in packages that no module exports, classes that are named as
     * services apart, and in all.
     */
    Map<String, Integer> publicShares() throws IOException {
        Set<String> exported =
                exports(false).values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        List<SourceFile> types = files.stream()
                .filter(file -> !file.name().equals("package-info"))
                .toList();
        Set<String> services = services();
        List<SourceFile> hidden = types.stream()
                .filter(file -> !exported.contains(file.pkg()) && !services.contains(file.pkg() + "." + file.name()))
                .toList();
        return new TreeMap<>(Map.of("all", publicShare(types), "exported-to-none", publicShare(hidden)));
    }

    /**
     * The classes that are named as services, without {@code dev.jacquard.}: the service loader takes public ones only.
     */
    private Set<String> services() throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> modules = Files.list(project)) {
            for (Path module : modules.sorted().toList()) {
                Path folder = module.resolve("src/main/resources/META-INF/services");
                if (Files.exists(folder)) {
                    try (Stream<Path> services = Files.list(folder)) {
                        for (Path service : services.toList()) {
                            Files.readAllLines(service).stream()
                                    .map(line -> line.strip().replaceFirst("^dev[.]jacquard[.]", ""))
                                    .map(line -> line.replaceFirst("[$].*", ""))
                                    .forEach(names::add);
                        }
                    }
                }
            }
        }
        return names;
    }

    private static int publicShare(List<SourceFile> of) {
        return of.isEmpty()
                ? 0
                : (int) (100 * of.stream().filter(SourceFile::isPublic).count() / of.size());
    }

    /** What each package imports of the project's others, without {@code dev.jacquard.}. */
    Map<String, Set<String>> imports() {
        Map<String, Set<String>> imports = new TreeMap<>();
        for (SourceFile file : files) {
            Set<String> its = imports.computeIfAbsent(file.pkg(), name -> new TreeSet<>());
            its.addAll(file.imports());
            its.remove(file.pkg());
        }
        return imports;
    }

    /** What each package-info says that the package imports; a package that says nothing is not in it. */
    Map<String, Set<String>> statedImports() {
        Map<String, Set<String>> stated = new TreeMap<>();
        for (SourceFile file : files) {
            Matcher sentence = STATED.matcher(file.lines().stream()
                    .map(line -> line.replaceFirst("^ \\* ?", ""))
                    .collect(Collectors.joining("\n")));
            if (file.name().equals("package-info") && sentence.find()) {
                Set<String> its = stated.computeIfAbsent(file.pkg(), name -> new TreeSet<>());
                Matcher one = Pattern.compile("\\{@code ([a-z.]+)}").matcher(sentence.group(1));
                while (one.find()) {
                    its.add(one.group(1));
                }
            }
        }
        return stated;
    }

    /** Percent of the arrows within each package that run back up, where they are too many. */
    Map<String, Integer> arrowsUp() {
        Map<String, Integer> up = new TreeMap<>();
        packages().forEach((pkg, its) -> {
            int percent = its.size() < SMALL_PACKAGE ? 0 : new Arrows(its).percentBackUp();
            if (percent > ARROWS_UP) {
                up.put(pkg, percent);
            }
        });
        return up;
    }

    /** The files that are too long, and their lines. */
    static Map<String, Integer> longFiles(Collection<SourceFile> of) {
        Map<String, Integer> places = new TreeMap<>();
        for (SourceFile file : of) {
            if (file.lines().size() > LONG_FILE) {
                places.put(file.place(), file.lines().size());
            }
        }
        return places;
    }

    /** The longest method of each name and file, where it is too long. */
    Map<String, Integer> longMethods() {
        Map<String, Integer> places = new TreeMap<>();
        for (SourceFile file : files) {
            for (SourceFile.Type type : file.types()) {
                for (SourceFile.Method method : type.longest()) {
                    if (method.lines() > LONG_METHOD) {
                        places.merge(file.place() + '#' + method.name(), method.lines(), Math::max);
                    }
                }
            }
        }
        return places;
    }

    /** The types with many methods, and how many. */
    Map<String, Integer> manyMethods() {
        Map<String, Integer> places = new TreeMap<>();
        Set<String> tables = boundToLibraries();
        for (SourceFile file : files) {
            for (SourceFile.Type type : file.types()) {
                if (type.methods() >= MANY_METHODS && !tables.contains(file.pkg() + '.' + type.name())) {
                    places.put(
                            file.place() + (type.name().equals(file.name()) ? "" : '.' + type.name()), type.methods());
                }
            }
        }
        return places;
    }

    /** The interfaces that are bound to libraries: tables of functions, whose number is the library's. */
    private Set<String> boundToLibraries() {
        Set<String> tables = new TreeSet<>();
        for (SourceFile file : files) {
            Matcher bound = BOUND.matcher(String.join(" ", file.lines()));
            while (bound.find()) {
                tables.add(file.pkg() + '.' + bound.group(1));
            }
        }
        return tables;
    }

    /** Methods that others may call and whose parameters or results are arrays of {@code Object}, by file. */
    Map<String, Integer> objectArrays() throws IOException {
        Set<String> exported =
                exports(true).values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        Map<String, Integer> places = new TreeMap<>();
        for (SourceFile file : files) {
            int arrays =
                    file.types().stream().mapToInt(type -> type.arrays().size()).sum();
            if (file.isPublic() && exported.contains(file.pkg()) && arrays > 0) {
                places.put(file.place(), arrays);
            }
        }
        return places;
    }

    /** The lines of each package that are too wide; imports are as wide as names are. */
    Map<String, Integer> columns() {
        return byPackage(file -> file.lines().stream()
                .filter(line -> line.codePointCount(0, line.length()) > COLUMNS && !line.startsWith("import "))
                .count());
    }

    /** The lines of comments, by package, that speak of tasks and threads as of people. */
    Map<String, Integer> words() {
        return byPackage(file -> file.lines().stream()
                .filter(line -> line.matches("^\\s*(/[*]|[*]|//).*") || line.contains(" // "))
                .filter(line ->
                        WORDS.matcher(line.replaceFirst("^[^*/]*(?=//)", "")).find())
                .count());
    }

    /** The Javadoc comments, by package, that begin like a question. */
    Map<String, Integer> questions() {
        Set<String> forbidden = Set.of("What", "Whether", "Who");
        return byPackage(file ->
                file.documentation().stream().filter(forbidden::contains).count());
    }

    /** A number of each file, summed by package where it is not 0. */
    private Map<String, Integer> byPackage(java.util.function.ToLongFunction<SourceFile> number) {
        Map<String, Integer> sums = new TreeMap<>();
        for (SourceFile file : files) {
            int its = (int) number.applyAsLong(file);
            if (its > 0) {
                sums.merge(file.pkg(), its, Integer::sum);
            }
        }
        return sums;
    }
}
