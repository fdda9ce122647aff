package dev.jacquard.mpi.library;

/** The threads that may call a library. In the order of the standard. */
public enum ThreadLevel {
    /** There is one thread only. */
    SINGLE("called by one thread"),
    /** The thread that started the library calls it. */
    FUNNELED("called by one thread"),
    /** Any thread calls it, one at a time. */
    SERIALIZED("called by one thread at a time"),
    /** Any thread calls it. */
    MULTIPLE("called by any thread");

    private final String text;

    ThreadLevel(String text) {
        this.text = text;
    }

    /** Returns which threads call the library, for reports. */
    public String text() {
        return text;
    }

    static ThreadLevel of(Abi abi, int value) {
        int level = abi.levels().indexOf(value);
        return level < 0 ? SINGLE : values()[level];
    }
}
