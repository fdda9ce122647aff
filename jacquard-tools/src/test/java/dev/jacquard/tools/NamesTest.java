package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names of public types, as programs see them that import whole modules. */
class NamesTest {
    private static final Path PAGE = Path.of("..", "docs", "guide", "names.md");

    /** Interfaces for those who extend the engine, in projects that import types by name. */
    private static final Set<String> EXTENSIONS = Set.of("Clock", "Policy");

    private static final Set<String> NOT_FOR_PROGRAMS = Set.of("dev.jacquard.apps", "dev.jacquard.mpi");

    private static final Pattern LINE =
            Pattern.compile("^\\| `(\\w+)` \\| `([\\w.]+)` \\| `([\\w.]+)` \\|$", Pattern.MULTILINE);

    private record Name(String type, String pack, String module) {
        static Name of(String name, String module) {
            int end = name.lastIndexOf('.');
            return new Name(name.substring(end + 1), name.substring(0, end), module);
        }

        @Override
        public String toString() {
            return type + " of package " + pack + " of module " + module;
        }
    }

    private static List<Name> namesOf(ModuleReference module) throws IOException {
        ModuleDescriptor descriptor = module.descriptor();
        Set<String> exported = descriptor.exports().stream()
                .filter(one -> !one.isQualified())
                .map(Exports::source)
                .collect(Collectors.toSet());
        try (ModuleReader reader = module.open()) {
            return reader.list()
                    .filter(file -> file.endsWith(".class") && !file.contains("$"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> name.contains(".") && exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .filter(NamesTest::isPublic)
                    .map(name -> Name.of(name, descriptor.name()))
                    .toList();
        }
    }

    private static boolean isPublic(String name) {
        try {
            return Modifier.isPublic(
                    Class.forName(name, false, NamesTest.class.getClassLoader()).getModifiers());
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            return false; // package-info, or a type of an optional module
        }
    }

    private static List<Name> ours() throws IOException {
        LibraryModules modules = LibraryModules.ofClassPath(System.getProperty("java.class.path"));
        List<Name> names = new ArrayList<>();
        for (ModuleReference one :
                ModuleFinder.of(modules.path().toArray(Path[]::new)).findAll()) {
            String name = one.descriptor().name();
            if (modules.roots().contains(name) && !NOT_FOR_PROGRAMS.contains(name)) {
                names.addAll(namesOf(one));
            }
        }
        return names;
    }

    /** A compact source file imports {@code java.base} by itself: a name that both have is ambiguous. */
    @Test
    void noTypeHasANameOfTheJdks() throws IOException {
        Set<String> jdk = namesOf(ModuleFinder.ofSystem().find("java.base").orElseThrow()).stream()
                .map(Name::type)
                .collect(Collectors.toSet());
        Set<String> both = ours().stream().map(Name::type).filter(jdk::contains).collect(Collectors.toSet());
        both.removeAll(EXTENSIONS);
        assertEquals(Set.of(), both, "a program that imports the module has to import these by name: rename them");
    }

    /** A program may import several of our modules. */
    @Test
    void noTwoTypesShareAName() throws IOException {
        TreeMap<String, List<Name>> byType =
                ours().stream().collect(Collectors.groupingBy(Name::type, TreeMap::new, Collectors.toList()));
        byType.values().removeIf(names -> names.size() == 1);
        assertEquals("{}", byType.toString());
    }

    @Test
    void thePageOfNamesIsComplete() throws IOException {
        Set<String> listed = LINE.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult line) -> new Name(line.group(1), line.group(2), line.group(3)).toString())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = ours().stream().map(Name::toString).collect(Collectors.toCollection(TreeSet::new));
        Set<String> absent = new TreeSet<>(there);
        absent.removeAll(listed);
        listed.removeAll(there);
        assertEquals(Set.of(), absent, PAGE + ": types without a line");
        assertEquals(Set.of(), listed, PAGE + ": lines without a type");
    }
}
