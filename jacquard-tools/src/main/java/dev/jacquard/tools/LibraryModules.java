package dev.jacquard.tools;

import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
        Deque<ModuleReference> open = new ArrayDeque<>();
        Set<String> reached = new LinkedHashSet<>();
        all.forEach((name, module) -> {
            if (name.startsWith(OURS) && !NO_LIBRARIES.contains(name)) {
                reached.add(name);
                open.add(module);
            }
        });
        List<String> roots = List.copyOf(reached);
        List<Path> path = new ArrayList<>();
        while (!open.isEmpty()) {
            ModuleReference module = open.remove();
            module.location().map(Path::of).ifPresent(path::add);
            for (Requires one : module.descriptor().requires()) {
                ModuleReference required = all.get(one.name());
                if (required != null && reached.add(one.name())) {
                    open.add(required);
                }
            }
        }
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
