package dev.jacquard.expressions.codegen;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels are text for compilers, which know no digits but those of ASCII. */
class KernelLocaleTest {
    private final Locale before = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void theTextOfAKernelIsTheSameInEachLocale(Language language) {
        Tag<Cell> t = Tag.cell("T");
        Tag<Cell> rate = Tag.cell("rate");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(
                        session, Grid.of(8, 8, 8).lengths(0.7, 1.1, 1.3).ghosts(1))) {
            fields.set(t, (x, y, z) -> x);
            Assignment assignment = Assignment.of(fields, rate, laplacian(t).times(0.25));
            Locale.setDefault(Locale.ROOT);
            String text = assignment.source(language);
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertNotEquals("42", String.format(Locale.getDefault(), "%d", 42), "the locale has digits of its own");
            assertEquals(text, assignment.source(language));
        }
    }
}
