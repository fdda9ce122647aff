package dev.jacquard.apps.stitching.align;

/** The displacements, or pixels, from {@code (minDx, minDy)} to {@code (maxDx, maxDy)}, both included. */
record Window(int minDx, int maxDx, int minDy, int maxDy) {
    /** All displacements up to {@code halfDx} and {@code halfDy} away from {@code (dx, dy)}. */
    static Window around(int dx, int dy, int halfDx, int halfDy) {
        return new Window(dx - halfDx, dx + halfDx, dy - halfDy, dy + halfDy);
    }

    boolean contains(int dx, int dy) {
        return minDx <= dx && dx <= maxDx && minDy <= dy && dy <= maxDy;
    }

    Window intersect(Window other) {
        return new Window(
                Math.max(minDx, other.minDx),
                Math.min(maxDx, other.maxDx),
                Math.max(minDy, other.minDy),
                Math.min(maxDy, other.maxDy));
    }

    /** Returns true if every displacement of {@code other} is one of these. */
    boolean contains(Window other) {
        return contains(other.minDx, other.minDy) && contains(other.maxDx, other.maxDy);
    }

    /** This with {@code margin} more pixels on each side. */
    Window grown(int margin) {
        return new Window(minDx - margin, maxDx + margin, minDy - margin, maxDy + margin);
    }

    /** This, {@code x} to the right and {@code y} down. */
    Window moved(int x, int y) {
        return new Window(minDx + x, maxDx + x, minDy + y, maxDy + y);
    }

    boolean isEmpty() {
        return minDx > maxDx || minDy > maxDy;
    }

    /** The number of displacements in the window. */
    long size() {
        return isEmpty() ? 0 : (maxDx - minDx + 1L) * (maxDy - minDy + 1L);
    }
}
