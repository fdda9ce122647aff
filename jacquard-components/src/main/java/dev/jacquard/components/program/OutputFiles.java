package dev.jacquard.components.program;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of an {@link OutputFolder}: those that are written before they are put in place, each by one part of a
 * program, and whether there are others that stay.
 *
 * <p>Threads: any; guarded by itself.
 */
final class OutputFiles {
    /** The folder where they are written. */
    private final Path work;
    /** By name: where the file is written, in the order in which they were asked for. */
    private final Map<String, Path> staged = new LinkedHashMap<>();
    /** By name: the part of a program that writes the file; empty for the program itself. */
    private final Map<String, String> owners = new HashMap<>();
    /** By the name of a folder: a file in it that has an owner. */
    private final Map<String, String> folders = new HashMap<>();

    /** The parts that have written files that stay; an empty name for the program itself. */
    private final Set<String> keepers = new TreeSet<>();

    private final List<Closeable> whenCommitted = new ArrayList<>();

    OutputFiles(Path work) {
        this.work = work;
    }

    /** The program itself writes files of these names. */
    synchronized void reserve(Set<String> names) {
        names.forEach(name -> owners.put(name, ""));
    }

    /**
     * Returns where a part writes the file of that name.
     *
     * @param part empty for the program itself
     * @throws IllegalStateException if another part writes a file of this name
     */
    synchronized Path stage(String name, String part) {
        own(name, part);
        return staged.computeIfAbsent(name, work::resolve);
    }

    private void own(String name, String part) {
        String owner = owners.get(name);
        if (owner != null && !owner.equals(part)) {
            throw taken("the output file '" + name + "' is written by ", owner);
        }
        String within = within(name);
        if (within != null && !within.equals(name)) { // also of its own: a file is no folder
            String its = Objects.requireNonNull(owners.get(within));
            if (!its.isEmpty() || !part.isEmpty()) {
                throw taken(
                        "the output file '" + name + "' and '" + within + "' cannot both be there: one is a folder"
                                + " for the other, which is written by ",
                        its);
            }
        }
        if (owner == null) {
            owners.put(name, part);
            for (Path folder = Path.of(name).getParent(); folder != null; folder = folder.getParent()) {
                folders.putIfAbsent(folder.toString(), name);
            }
        }
    }

    /** Returns a file that is a folder of {@code name}, or one in the folder of that name; null if there is none. */
    private @Nullable String within(String name) {
        for (Path folder = Path.of(name).getParent(); folder != null; folder = folder.getParent()) {
            if (owners.containsKey(folder.toString())) {
                return folder.toString();
            }
        }
        return folders.get(name);
    }

    private static IllegalStateException taken(String what, String owner) {
        return new IllegalStateException(what
                + (owner.isEmpty() ? "the program itself" : "component '" + owner + "'")
                + ", too; expected a name that no other part of the program uses");
    }

    /** Returns the names of the files that are to be put in place, with the parts that write them. */
    synchronized Map<String, String> staged() {
        Map<String, String> all = new LinkedHashMap<>();
        staged.keySet().forEach(name -> all.put(name, owners.getOrDefault(name, "")));
        return all;
    }

    /** Takes what is to be closed when the files are in place. */
    synchronized void whenCommitted(Closeable its) {
        whenCommitted.add(its);
    }

    /** Returns what is to be closed when the files are in place. */
    synchronized List<Closeable> whenCommitted() {
        return List.copyOf(whenCommitted);
    }

    /**
     * A part writes a file of that name, which stays.
     *
     * @throws IllegalStateException if another part writes a file of this name
     */
    synchronized void keep(String name, String part) {
        own(name, part);
        keepers.add(part);
    }

    /** A part has written a file that stays, in a folder of its own. */
    synchronized void keep(String part) {
        keepers.add(part);
    }

    /** Returns the parts that have written files that stay; an empty name for the program itself. */
    synchronized List<String> keepers() {
        return List.copyOf(keepers);
    }
}
