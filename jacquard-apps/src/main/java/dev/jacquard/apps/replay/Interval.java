package dev.jacquard.apps.replay;

/** The integers from {@code low} to {@code high}, both included; low above high is refused. */
record Interval(long low, long high) {
    public Interval {
        if (low > high) {
            throw new IllegalArgumentException("an interval goes from low to high, not from " + low + " to " + high);
        }
    }

    boolean intersects(Interval other) {
        return low <= other.high && other.low <= high;
    }

    boolean contains(Interval other) {
        return low <= other.low && other.high <= high;
    }

    @Override
    public String toString() {
        return low + ".." + high;
    }
}
