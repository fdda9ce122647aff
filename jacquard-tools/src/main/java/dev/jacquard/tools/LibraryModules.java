package dev.jacquard.tools;

import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Our libraries as modules, among the entries of a class path.
 *
 * @param roots the names of the libraries, all but the command line and the benchmarks
 * @param path the entries of the libraries and of the modules that they require
 */
record LibraryModules(List<String> roots, List<Path> path) {
    private static final String OURS = "dev.jacquard.";
    private static final Set<String> NO_LIBRARIES = Set.of(OURS + "tools", OURS + "bench");

    static LibraryModules ofClassPath(String classPath) {
        Map<String, ModuleReference> all = new TreeMap<>();
        Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath)
                .filter(entry -> !entry.isEmpty())
                .flatMap(entry -> modules(Path.of(entry)))
                .forEach(module -> all.putIfAbsent(module.descriptor().name(), module));
        List<String> roots = all.keySet().stream()
                .filter(name -> name.startsWith(OURS) && !NO_LIBRARIES.contains(name))
                .toList();
        Deque<String> open = new ArrayDeque<>(roots);
        Set<String> reached = new LinkedHashSet<>(roots);
        while (!open.isEmpty()) {
            ModuleDescriptor module = all.get(open.remove()).descriptor();
            for (Requires one : module.requires()) {
                if (all.containsKey(one.name()) && reached.add(one.name())) {
                    open.add(one.name());
                }
            }
        }
        List<Path> path = reached.stream()
                .flatMap(name -> all.get(name).location().stream())
                .map(Path::of)
                .toList();
        return new LibraryModules(roots, path);
    }

    /** None for an entry that is no module: a folder of classes without a descriptor, or a jar with a wrong name. */
    private static Stream<ModuleReference> modules(Path entry) {
        try {
            return ModuleFinder.of(entry).findAll().stream();
        } catch (FindException e) {
            return Stream.empty();
        }
    }
}
