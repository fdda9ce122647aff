package dev.jacquard.apps.plate;

/** A picture without borders that tiles are cut from. Stateless. */
@FunctionalInterface
interface Scene {
    /** Writes the brightness, 0 to 1, of {@code out.length} points from ({@code x}, {@code y}) on to the right. */
    void row(int x, int y, float[] out);
}
