package dev.jacquard.base.failure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuppressedTest {
    private final IOException one = new IOException("one");
    private final IOException other = new IOException("other");

    @Test
    void theSameObjectIsNotSuppressed() {
        Suppressed.add(one, one);
        Suppressed.addAll(one, List.of(one, other, one));
        assertArrayEquals(new Throwable[] {other}, one.getSuppressed());
        assertSame(one, Suppressed.join(one, one));
        assertArrayEquals(new Throwable[] {other}, one.getSuppressed());
    }

    @Test
    void theFirstHasTheOthers() {
        assertSame(one, Suppressed.join(null, one));
        assertSame(one, Suppressed.join(one, other));
        assertArrayEquals(new Throwable[] {other}, one.getSuppressed());
    }
}
