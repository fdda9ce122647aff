package dev.jacquard.base.text;

/** Numbers as people write them. */
public final class DecimalText {
    private DecimalText() {}

    /**
     * Returns true if a number is 0 though its text is not: it is smaller than the smallest double above 0.
     *
     * @param text the number, in the form that {@link Double#parseDouble} reads
     * @param value the double that was read from it
     */
    public static boolean vanishes(String text, double value) {
        if (value != 0) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char sign = text.charAt(i);
            if (sign == 'e' || sign == 'E') {
                return false;
            }
            if (sign >= '1' && sign <= '9') {
                return true;
            }
        }
        return false;
    }
}
