package dev.jacquard.sim;

/**
 * The places at which a task ends, the earliest first; of equal times the least place. A binary heap in arrays.
 * Threads: confined to one run.
 */
final class EventHeap {
    private final int[] places;
    private final double[] times;
    private int size;

    /** Makes an empty heap for one event of each place. */
    EventHeap(int places) {
        this.places = new int[places];
        this.times = new double[places];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the time of the first event. There is one. */
    double time() {
        return times[0];
    }

    void add(int place, double time) {
        int at = size++;
        while (at > 0 && isBefore(time, place, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        places[at] = place;
        times[at] = time;
    }

    /** Takes the first event; returns its place. */
    int take() {
        int first = places[0];
        int place = places[--size];
        double time = times[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(times[child + 1], places[child + 1], child)) {
                child++;
            }
            if (isBefore(time, place, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        places[at] = place;
        times[at] = time;
        return first;
    }

    private boolean isBefore(double time, int place, int other) {
        return time < times[other] || (time == times[other] && place < places[other]);
    }

    private void move(int from, int to) {
        places[to] = places[from];
        times[to] = times[from];
    }
}
