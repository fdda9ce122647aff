package dev.jacquard.memory.coherence;

/** In checking mode: a user's array was changed by code that is in no task. */
final class ChangedHomeException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient HomeChecksum home;
    private final String change;

    ChangedHomeException(HomeChecksum home, String change) {
        super(change);
        this.home = home;
        this.change = change;
    }

    /** The claim was for several tasks, each of which makes its own now: the one that meets the change fails. */
    void tellNext() {
        home.untold(change);
    }
}
