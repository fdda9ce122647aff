package dev.jacquard.core.testing.random;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The cells of handles without order that tasks have left half done: none works on them before another one has
 * overwritten them. Those who hold them take turns, and a task that fails holds them until others are told. Threads:
 * any.
 */
final class Guarded {
    private final Program program;
    /** 1 for cells that are half done. */
    private final AtomicIntegerArray[] spoilt;

    Guarded(Program program) {
        this.program = program;
        this.spoilt = program.stores().stream()
                .map(store -> new AtomicIntegerArray(store.cells()))
                .toArray(AtomicIntegerArray[]::new);
    }

    private boolean isGuarded(Touch touch) {
        return touch.how().isUnordered() && program.stores().get(touch.store()).kind() == Store.Kind.GUARDED;
    }

    /** A body that holds {@code touches} begins; returns false if it begins with what is half done. */
    boolean begins(List<Touch> touches) {
        boolean well = true;
        for (Touch touch : touches) {
            Span span = program.span(touch);
            for (int i = 0; isGuarded(touch) && touch.how() == How.LOCKED && i < span.size(); i++) {
                well &= spoilt[touch.store()].get(span.cell(i)) == 0;
            }
        }
        return well;
    }

    /** A body that holds {@code touches} has done all its work. */
    void ends(List<Touch> touches) {
        touches.stream().filter(touch -> touch.how() == How.RENEWED).forEach(touch -> set(touch, 0));
    }

    /** A body that holds {@code touches} is about to fail. What is around a handle is a lock, which nothing spoils. */
    void fails(List<Touch> touches) {
        touches.stream()
                .filter(touch -> touch.how() == How.LOCKED || !touch.isWhole())
                .forEach(touch -> set(touch, 1));
    }

    private void set(Touch touch, int value) {
        Span span = program.span(touch);
        for (int i = 0; isGuarded(touch) && i < span.size(); i++) {
            spoilt[touch.store()].set(span.cell(i), value);
        }
    }
}
