package dev.jacquard.base.foreign;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A search for a library: its names, each on the loader's path, where users name the folders that they want
 * ({@code LD_LIBRARY_PATH}), then in folders. Immutable.
 *
 * <pre>{@code
 * Found<NativeLibrary> found = LibrarySearch.named("libfftw3f.so.3", "libfftw3f.so")
 *         .in(Path.of("/opt/fftw/lib"))
 *         .help("on Debian: apt-get install libfftw3-single3")
 *         .find();
 * }</pre>
 *
 * @param names file names, the preferred ones first
 * @param folders the preferred ones first
 * @param foldersFirst true if all names are looked for in the folders before the loader is asked, which returns a
 *     library that the process has loaded under the same name from anywhere
 * @param help advice for the user if there is none; may be empty
 */
public record LibrarySearch(List<String> names, List<Path> folders, boolean foldersFirst, String help) {
    /** Copies the lists. */
    public LibrarySearch {
        names = List.copyOf(names);
        folders = List.copyOf(folders);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a search for a library needs at least one file name");
        }
    }

    /** Returns a search for the first of some names on the loader's path. */
    public static LibrarySearch named(String... names) {
        return named(Arrays.asList(names));
    }

    /** Returns a search for the first of some names on the loader's path. */
    public static LibrarySearch named(List<String> names) {
        return new LibrarySearch(names, List.of(), false, "");
    }

    /** Returns this search, which looks into further folders. */
    public LibrarySearch in(Path... more) {
        return in(Arrays.asList(more));
    }

    /** Returns this search, which looks into further folders. */
    public LibrarySearch in(List<Path> more) {
        return new LibrarySearch(
                names, Stream.concat(folders.stream(), more.stream()).toList(), foldersFirst, help);
    }

    /**
     * Returns this search, which looks into folders below one that a variable of the environment names, if it is set.
     *
     * @param below relative to the variable's folder; without any the folder itself
     */
    public LibrarySearch inFoldersOf(String variable, String... below) {
        return inFoldersOf(System.getenv(), variable, below);
    }

    /** As {@link #inFoldersOf(String, String...)}, with a given environment. */
    public LibrarySearch inFoldersOf(Map<String, String> environment, String variable, String... below) {
        String folder = environment.getOrDefault(variable, "");
        if (folder.isBlank()) {
            return this;
        }
        return below.length == 0
                ? in(Path.of(folder))
                : in(Arrays.stream(below).map(each -> Path.of(folder, each)).toList());
    }

    /** Returns this search, which looks for all names in the folders, and on the loader's path after that. */
    public LibrarySearch withFoldersFirst() {
        return new LibrarySearch(names, folders, true, help);
    }

    /** Returns this search, with advice for when there is no such library. */
    public LibrarySearch help(String advice) {
        return new LibrarySearch(names, folders, foldersFirst, advice);
    }

    /** Loads the first library that can be loaded; else the reason names all that was tried. */
    public Found<NativeLibrary> find() {
        return find(NativeLibrary::load);
    }

    /**
     * As {@link #find()}, with a way to load files of the folders.
     *
     * @param loading throws {@link IllegalStateException} if a file cannot be loaded
     */
    public Found<NativeLibrary> find(Function<Path, NativeLibrary> loading) {
        List<String> refusals = new ArrayList<>();
        for (Candidate candidate : candidates(loading)) {
            try {
                return Found.of(candidate.loading.get());
            } catch (IllegalStateException refused) {
                String message = String.valueOf(refused.getMessage());
                if (candidate.isThere || !LoaderMessage.isAbsence(candidate.name, message)) {
                    refusals.add(message);
                }
            } catch (IllegalCallerException denied) {
                return Found.absent("the JVM denies native access (" + denied.getMessage()
                        + "): start it with --enable-native-access=ALL-UNNAMED, or on the module path with"
                        + " --enable-native-access="
                        + LibrarySearch.class.getModule().getName());
            }
        }
        return Found.absent(reason(refusals));
    }

    /**
     * A library that may be loaded.
     *
     * @param name its name for the loader, or its file's
     * @param isThere true if it is a file that exists
     */
    private record Candidate(String name, boolean isThere, Supplier<NativeLibrary> loading) {}

    private List<Candidate> candidates(Function<Path, NativeLibrary> loading) {
        List<Candidate> all = new ArrayList<>();
        if (foldersFirst) {
            for (Path folder : folders) {
                names.forEach(name -> addFile(folder, name, loading, all));
            }
        }
        for (String name : names) {
            all.add(new Candidate(name, false, () -> NativeLibrary.load(name)));
            if (!foldersFirst) {
                folders.forEach(folder -> addFile(folder, name, loading, all));
            }
        }
        return all;
    }

    private static void addFile(Path folder, String name, Function<Path, NativeLibrary> loading, List<Candidate> all) {
        Path file = folder.resolve(name);
        if (Files.isRegularFile(file)) {
            all.add(new Candidate(file.toString(), true, () -> loading.apply(file)));
        }
    }

    private String reason(List<String> refusals) {
        List<String> parts = new ArrayList<>(refusals);
        String where = folders.isEmpty()
                ? ""
                : " or in "
                        + String.join(", ", folders.stream().map(Path::toString).toList());
        String subject =
                names.size() == 1 ? names.getFirst() + " is not" : "none of " + String.join(", ", names) + " is";
        parts.add(subject + " on the loader's path" + where);
        if (!help.isEmpty()) {
            parts.add(help);
        }
        return String.join("; ", parts);
    }
}
