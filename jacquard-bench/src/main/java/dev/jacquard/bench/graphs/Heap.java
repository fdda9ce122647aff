package dev.jacquard.bench.graphs;

/** The heap of this process. */
final class Heap {
    private static final int COLLECTIONS = 3;

    private Heap() {}

    /** Bytes that are alive, after collections: one is not always enough for what references and cleaners hold. */
    static long live() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
