package dev.jacquard.cluster.partition;

import java.util.Arrays;

/**
 * The vertices that may leave a part, the one with the largest gain first. Among vertices with equal gains the one that
 * changed last comes first: successive moves stay close together, which leads to smaller cuts.
 *
 * <p>A binary heap that knows the place of each vertex. Confined to one thread.
 */
final class GainHeap {
    private final long[] gains;
    private final long[] changes;
    /** The place of a vertex in {@link #heap}, or -1. */
    private final int[] places;

    private int[] heap = new int[16];
    private int size;
    private long change;

    GainHeap(int vertices) {
        gains = new long[vertices];
        changes = new long[vertices];
        places = new int[vertices];
        Arrays.fill(places, -1);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(int vertex) {
        return places[vertex] >= 0;
    }

    /** Returns the vertex with the largest gain. */
    int first() {
        return heap[0];
    }

    /** Returns the largest gain. */
    long firstGain() {
        return gains[heap[0]];
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            places[heap[i]] = -1;
        }
        size = 0;
    }

    /** Adds a vertex that is not there. */
    void add(int vertex, long gain) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        gains[vertex] = gain;
        changes[vertex] = change++;
        up(size++, vertex);
    }

    /** Adds to the gain of a vertex that is there. */
    void change(int vertex, long by) {
        gains[vertex] += by;
        changes[vertex] = change++;
        if (by >= 0) {
            up(places[vertex], vertex);
        } else {
            down(places[vertex], vertex);
        }
    }

    /** Removes and returns the vertex with the largest gain. */
    int poll() {
        int first = heap[0];
        places[first] = -1;
        int last = heap[--size];
        if (size > 0) {
            down(0, last);
        }
        return first;
    }

    private boolean isBefore(int a, int b) {
        return gains[a] != gains[b] ? gains[a] > gains[b] : changes[a] > changes[b];
    }

    private void up(int from, int vertex) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / 2;
            if (!isBefore(vertex, heap[parent])) {
                break;
            }
            put(heap[parent], place);
            place = parent;
        }
        put(vertex, place);
    }

    private void down(int from, int vertex) {
        int place = from;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], vertex)) {
                break;
            }
            put(heap[child], place);
            place = child;
        }
        put(vertex, place);
    }

    private void put(int vertex, int place) {
        heap[place] = vertex;
        places[vertex] = place;
    }
}
