package dev.jacquard.flow;

import dev.jacquard.base.text.UserText;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way of an item along an edge: the edge passes on items of some types, or passes on other items, which a function
 * of the user makes of them. Equal if the steps are.
 *
 * @param steps in the order in which an item meets them; empty if the edge passes on every item
 */
record Passage(List<Step> steps) implements Function<Object, @Nullable Object> {
    /** The way along a plain edge. */
    static final Passage ALL = new Passage(List.of());

    /** One step of a way. */
    sealed interface Step {
        /** Returns the item that goes on; null if none does. */
        @Nullable
        Object pass(Object item);
    }

    /** Passes on the items of a type. */
    record Only(Class<?> type) implements Step {
        @Override
        public @Nullable Object pass(Object item) {
            return type.isInstance(item) ? item : null;
        }
    }

    /** Passes on the item that {@code conversion} makes of each. */
    record As(String graph, Function<Object, ?> conversion) implements Step {
        @Override
        public Object pass(Object item) {
            Object made = conversion.apply(item);
            if (made == null) {
                throw new NullPointerException("a conversion of an edge in graph \"" + graph + "\" made null of "
                        + UserText.of(item) + ": an item must be an object");
            }
            return made;
        }
    }

    Passage then(Step step) {
        return new Passage(Stream.concat(steps.stream(), Stream.of(step)).toList());
    }

    /** Returns this way, continued by {@code further}. */
    Passage then(Passage further) {
        return new Passage(Stream.concat(steps.stream(), further.steps.stream()).toList());
    }

    boolean isAll() {
        return steps.isEmpty();
    }

    @Override
    public @Nullable Object apply(Object item) {
        Object at = item;
        for (Step step : steps) {
            if (at == null) {
                return null;
            }
            at = step.pass(at);
        }
        return at;
    }

    /** Returns the type of the items that arrive; null if it is unknown. */
    @Nullable
    Class<?> type() {
        return !steps.isEmpty() && steps.getLast() instanceof Only only ? only.type() : null;
    }

    /** Returns true if items of {@code type}, a class without subclasses that matter, never pass. */
    boolean refuses(Class<?> type) {
        for (Step step : steps) {
            if (!(step instanceof Only(Class<?> only))) {
                return false; // it converts all items that come so far
            }
            if (ItemTypes.areApart(only, type)) {
                return true;
            }
        }
        return false;
    }
}
