package dev.jacquard.components.run;

/** Mixes like {@link Mix}, and never waits. */
public final class QuickMix extends Mix {
    @Override
    public String name() {
        return "quick-mix";
    }

    @Override
    public boolean neverWaits() {
        return true;
    }
}
