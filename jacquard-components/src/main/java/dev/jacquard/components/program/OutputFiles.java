package dev.jacquard.components.program;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of an {@link OutputFolder}: the files that are written before they are put in place, and whether there are
 * others that stay.
 *
 * <p>Threads: any; guarded by itself.
 */
final class OutputFiles {
    /** The folder where they are written. */
    private final Path work;
    /** By name: where the file is written, in the order in which they were asked for. */
    private final Map<String, Path> staged = new LinkedHashMap<>();
    /** The names of all files, including files that stay. */
    private final Set<String> names = new HashSet<>();
    /** The names of files that the program itself writes. */
    private final Set<String> reserved = new HashSet<>();
    /** By the name of a folder: a file in it. */
    private final Map<String, String> folders = new HashMap<>();

    /** The parts that have written files that stay; an empty name for the program itself. */
    private final Set<String> keepers = new TreeSet<>();

    private final List<Closeable> whenCommitted = new ArrayList<>();

    OutputFiles(Path work) {
        this.work = work;
    }

    /** The program itself writes files of these names. */
    synchronized void reserve(Set<String> its) {
        reserved.addAll(its);
    }

    /**
     * Returns where a part writes the file of that name.
     *
     * @param part empty for the program itself
     * @throws IllegalStateException if the program itself writes a file of this name, or one is a folder for the other
     */
    synchronized Path stage(String name, String part) {
        add(name, part);
        return staged.computeIfAbsent(name, work::resolve);
    }

    private void add(String name, String part) {
        if (!part.isEmpty() && reserved.contains(name)) {
            throw new IllegalStateException(
                    "the output file '" + name + "' is written by the program itself, too; expected another name");
        }
        String within = within(name);
        if (within != null && !(part.isEmpty() && reserved.contains(within))) {
            throw new IllegalStateException("the output file '" + name + "' and '" + within
                    + "' cannot both be there: one is a folder for the other"
                    + (reserved.contains(within) ? ", which is written by the program itself" : "")
                    + "; expected another name");
        }
        if (names.add(name)) {
            for (Path folder = Path.of(name).getParent(); folder != null; folder = folder.getParent()) {
                folders.putIfAbsent(folder.toString(), name);
            }
        }
    }

    /** Returns a file that is a folder of {@code name}, or one in the folder of that name; null if there is none. */
    private @Nullable String within(String name) {
        for (Path folder = Path.of(name).getParent(); folder != null; folder = folder.getParent()) {
            if (names.contains(folder.toString()) || reserved.contains(folder.toString())) {
                return folder.toString();
            }
        }
        return folders.get(name);
    }

    /** Returns the names of the files that are to be put in place. */
    synchronized List<String> staged() {
        return List.copyOf(staged.keySet());
    }

    /** Takes a resource to close when the files are in place. */
    synchronized void whenCommitted(Closeable its) {
        whenCommitted.add(its);
    }

    /** Returns the resources to close when the files are in place. */
    synchronized List<Closeable> whenCommitted() {
        return List.copyOf(whenCommitted);
    }

    /**
     * A part writes a file of that name, which stays.
     *
     * @throws IllegalStateException if the program itself writes a file of this name, or one is a folder for the other
     */
    synchronized void keep(String name, String part) {
        add(name, part);
        keepers.add(part);
    }

    /** A part has written a file that stays, in its own folder. */
    synchronized void keep(String part) {
        keepers.add(part);
    }

    /** Returns the parts that have written files that stay; an empty name for the program itself. */
    synchronized List<String> keepers() {
        return List.copyOf(keepers);
    }
}
