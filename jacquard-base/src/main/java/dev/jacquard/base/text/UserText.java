package dev.jacquard.base.text;

/** Texts of objects of classes that users wrote, for messages. */
public final class UserText {
    private UserText() {}

    /**
     * Returns the text of an object, as its {@code toString} gives it; its class where that fails or gives null. An
     * exception is such an object, too: its text has the message that its class makes.
     */
    public static String of(Object its) {
        String name = its.getClass().getName();
        try {
            String text = its.toString();
            return text == null ? name : text;
        } catch (Throwable e) { // a stack overflow as well: the message must be delivered
            return name + " (its toString failed with " + e.getClass().getName() + ")";
        }
    }
}
