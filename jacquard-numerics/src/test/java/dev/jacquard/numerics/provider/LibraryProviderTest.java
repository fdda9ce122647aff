package dev.jacquard.numerics.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LibraryProviderTest {
    private record Library(String name, Optional<String> absence, int rank) implements LibraryProvider {}

    private static final Library THERE = new Library("there", Optional.empty(), 0);
    private static final Library AWAY = new Library("away", Optional.of("not installed"), 10);

    @Test
    void autoPassesOverWhatIsAbsent() {
        assertEquals(THERE, LibraryProvider.choose("X", List.of(AWAY, THERE), "auto"));
    }

    @Test
    void anAbsentLibrarySaysWhy() {
        var error = assertThrows(
                IllegalStateException.class, () -> LibraryProvider.choose("X", List.of(AWAY, THERE), "away"));
        assertEquals("the X library 'away' is absent: not installed", error.getMessage());
    }

    @Test
    void withoutAnyLibraryAutoSaysWhyOfAll() {
        var error = assertThrows(IllegalStateException.class, () -> LibraryProvider.choose("X", List.of(AWAY), "auto"));
        assertEquals("this machine has no X library (away: not installed)", error.getMessage());
    }
}
