package dev.jacquard.base.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySearchTest {
    private static final String[] C = {"libc.so.6", "libSystem.dylib", "libc.musl-x86_64.so.1", "msvcrt.dll"};

    @Test
    void anAbsentLibraryIsNamedWithAllPlaces(@TempDir Path folder) {
        assertEquals(
                "none of libnone.so.2, libnone.so is on the loader's path or in " + folder + "; install it",
                LibrarySearch.named("libnone.so.2", "libnone.so")
                        .in(folder)
                        .help("install it")
                        .find()
                        .absence()
                        .orElseThrow());
        assertEquals(
                "libnone.so is not on the loader's path",
                LibrarySearch.named("libnone.so").find().absence().orElseThrow());
    }

    @Test
    void aFileThatCannotBeLoadedIsNamedWithTheLoadersReason(@TempDir Path folder) throws IOException {
        Path broken = Files.writeString(folder.resolve("libbroken.so"), "not a library");
        String why = LibrarySearch.named("libbroken.so")
                .in(folder)
                .help("install it")
                .find()
                .absence()
                .orElseThrow();
        assertTrue(why.startsWith(broken + " cannot be loaded: " + broken + ": "), why);
        assertTrue(why.endsWith("; libbroken.so is not on the loader's path or in " + folder + "; install it"), why);
    }

    @Test
    void theFirstNameThatCanBeLoadedIsTaken() {
        NativeLibrary found = LibrarySearch.named(List.of("libnone.so", C[0], C[1], C[2], C[3]))
                .find()
                .orThrow();
        assertTrue(List.of(C).contains(found.name()), found.name());
        assertTrue(found.has("strlen"));
        assertFalse(found.has("no_such_function"));
        String missing =
                String.valueOf(assertThrows(IllegalStateException.class, () -> found.require("no_such_function"))
                        .getMessage());
        assertEquals(found.name() + " has no function and no data named no_such_function", missing);
    }

    @Test
    void filesComeBeforeTheLoaderWhereFoldersAreFirst(@TempDir Path one, @TempDir Path two) throws IOException {
        Path file = Files.createFile(two.resolve(C[0]));
        List<Path> loaded = new ArrayList<>();
        NativeLibrary library = NativeLibrary.ofC();
        Found<NativeLibrary> found = LibrarySearch.named(C)
                .in(one, two)
                .withFoldersFirst()
                .find(path -> {
                    loaded.add(path);
                    return library;
                });
        assertEquals(List.of(file), loaded);
        assertEquals(library, found.orThrow());
    }

    @Test
    void variablesNameFolders() {
        Map<String, String> environment = Map.of("HERE", "/opt/here", "BLANK", " ");
        LibrarySearch search = LibrarySearch.named("libnone.so");
        assertEquals(
                List.of(Path.of("/opt/here/lib64"), Path.of("/opt/here/lib")),
                search.inFoldersOf(environment, "HERE", "lib64", "lib").folders());
        assertEquals(
                List.of(Path.of("/opt/here")),
                search.inFoldersOf(environment, "HERE").folders());
        assertEquals(
                List.of(),
                search.inFoldersOf(environment, "BLANK", "lib")
                        .inFoldersOf(environment, "UNSET", "lib")
                        .folders());
    }

    @Test
    void aLibraryThatNeedsAnAbsentOneIsThere() {
        String needs = "libmpi.so.40 cannot be loaded: libhwloc.so.15: cannot open shared object file: No such file or"
                + " directory";
        assertFalse(LoaderMessage.isAbsence("libmpi.so.40", needs));
        String absent = "libmpi.so.40 cannot be loaded: libmpi.so.40: cannot open shared object file: No such file or"
                + " directory";
        assertTrue(LoaderMessage.isAbsence("libmpi.so.40", absent));
        assertTrue(LoaderMessage.isAbsence("libmpi.so", "libmpi.so cannot be loaded: Cannot open library: libmpi.so"));
    }

    @Test
    void anAbsenceStaysOneAndKeepsItsReason() {
        Found<String> absent = Found.absent("not installed");
        assertEquals("not installed", absent.map(String::length).absence().orElseThrow());
        assertEquals(
                "not installed",
                assertThrows(IllegalStateException.class, absent::orThrow).getMessage());
        Found<String> there = Found.of("library");
        assertEquals(7, there.map(String::length).orThrow());
        Found<Integer> unfit = there.map(name -> {
            throw new IllegalStateException("too old");
        });
        assertEquals("library cannot be used: too old", unfit.absence().orElseThrow());
    }

    @Test
    void aSearchNeedsAName() {
        assertThrows(IllegalArgumentException.class, LibrarySearch::named);
    }
}
