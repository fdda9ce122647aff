package dev.jacquard.numerics.blas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Transpose;
import org.junit.jupiter.api.Test;

class BlasesTest {
    @Test
    void autoTakesTheLibraryFromMaven() {
        Blases.providers().getFirst().absence().ifPresent(reason -> assumeTrue(false, reason));
        Blas blas = Blases.open("auto");
        assertEquals("openblas", blas.name());
        double[] c = new double[4];
        blas.doubles()
                .gemm(
                        Transpose.NO,
                        Transpose.NO,
                        2,
                        2,
                        2,
                        1,
                        Operand.of(new double[] {1, 2, 3, 4}, 0, 2),
                        Operand.of(new double[] {5, 6, 7, 8}, 0, 2),
                        0,
                        Operand.of(c, 0, 2));
        assertArrayEquals(new double[] {19, 22, 43, 50}, c);
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        var error = assertThrows(IllegalArgumentException.class, () -> Blases.open("mkl"));
        assertEquals("there is no BLAS library 'mkl'; known are: auto, openblas", error.getMessage());
    }

    @Test
    void aLayoutIsTheObjects() {
        Blases.providers().getFirst().absence().ifPresent(reason -> assumeTrue(false, reason));
        for (Layout layout : Layout.values()) {
            assertEquals(layout, Blases.open("auto").floats(layout).layout());
        }
        assertTrue(Blases.open("auto").toString().startsWith("openblas ("));
    }
}
