package dev.jacquard.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BuildTest {
    @Test
    void runsOnJava25() {
        assertEquals(25, Runtime.version().feature());
    }
}
