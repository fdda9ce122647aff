package dev.jacquard.sim;

import java.util.Arrays;

/**
 * Numbers of places or arrivals with the time of an event of each, the earliest first; of equal times the least number.
 * A binary heap in arrays. Threads: confined to one run.
 */
final class EventHeap {
    private static final int LENGTH = 16;

    private int[] numbers = new int[LENGTH];
    private double[] times = new double[LENGTH];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the time of the first event. There is one. */
    double time() {
        return times[0];
    }

    void add(int number, double time) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
            times = Arrays.copyOf(times, 2 * size);
        }
        int at = size++;
        while (at > 0 && isBefore(time, number, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        numbers[at] = number;
        times[at] = time;
    }

    /** Takes the first event; returns its number. */
    int take() {
        int first = numbers[0];
        int number = numbers[--size];
        double time = times[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(times[child + 1], numbers[child + 1], child)) {
                child++;
            }
            if (isBefore(time, number, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        numbers[at] = number;
        times[at] = time;
        return first;
    }

    private boolean isBefore(double time, int number, int other) {
        return time < times[other] || (time == times[other] && number < numbers[other]);
    }

    private void move(int from, int to) {
        numbers[to] = numbers[from];
        times[to] = times[from];
    }
}
