package dev.jacquard.components.mesh;

import java.util.List;

/**
 * A loop of a program.
 *
 * @param entry the number of the part that begins each pass
 * @param exit the number of the part that says whether another pass follows
 * @param parent the number of the loop around it; -1 for none
 * @param parts the numbers of all parts that run in it, those of loops inside of it too, in the order of the program
 */
public record Loop(int entry, int exit, int parent, List<Integer> parts) {
    public Loop {
        parts = List.copyOf(parts);
    }
}
