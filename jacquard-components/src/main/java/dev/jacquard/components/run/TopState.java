package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import java.util.BitSet;

/**
 * How far a program is, between passes of its outermost loops: which items of its block are over, and which loops have
 * run some of their passes. All others have not begun.
 *
 * <p>Threads: guarded by itself; each change notifies the threads that wait on its monitor.
 */
final class TopState {
    private final Plan plan;
    private final BitSet over = new BitSet();
    private final BitSet between = new BitSet();

    TopState(Plan plan) {
        this.plan = plan;
    }

    /** The item at a place of the program's block is over. */
    synchronized void end(int place) {
        over.set(place);
        between.clear(place);
        notifyAll();
    }

    /** The loop at a place of the program's block is between two passes. */
    synchronized void between(int place) {
        between.set(place);
        notifyAll();
    }

    /** The loop at a place goes on. */
    synchronized void goesOn(int place) {
        between.clear(place);
    }

    synchronized boolean isOver(int place) {
        return over.get(place);
    }

    synchronized boolean isBetween(int place) {
        return between.get(place);
    }

    /** Returns true if the whole program is over. */
    synchronized boolean isAllOver() {
        return over.cardinality() == plan.top().size();
    }

    /**
     * Returns true if nothing runs while some loops are held between two passes: these loops are there or over, and all
     * else is over that does not wait for them.
     *
     * @param held the numbers of these loops
     */
    synchronized boolean isHeldBy(BitSet held) {
        Block top = plan.top();
        BitSet waiting = new BitSet();
        for (int place = 0; place < top.size(); place++) {
            int loop = plan.loop(top.item(place));
            boolean isHeld = loop >= 0 && held.get(loop);
            boolean isStill = over.get(place) || (isHeld ? between.get(place) : waiting.get(place));
            if (!isStill) {
                return false;
            }
            if (isHeld || waiting.get(place)) {
                for (int later : top.next(place)) { // the places are in an order of the graph
                    waiting.set(later);
                }
            }
        }
        return true;
    }

    /** Returns the state of an item in a word. */
    synchronized String word(int place) {
        return over.get(place) ? "over" : between.get(place) ? "between" : "ahead";
    }

    /** Takes a state from its word. */
    synchronized void word(int place, String word) {
        over.set(place, word.equals("over"));
        between.set(place, word.equals("between"));
    }

    /** Returns the place of an outermost loop in the program's block. */
    int placeOf(int loop) {
        Block top = plan.top();
        for (int place = 0; place < top.size(); place++) {
            if (plan.loop(top.item(place)) == loop) {
                return place;
            }
        }
        throw new IllegalArgumentException("loop " + loop + " lies within another one");
    }

    /** Returns the name of an item of the program's block: a part's, or that of a loop's exit. */
    String name(int place) {
        Block top = plan.top();
        int loop = plan.loop(top.item(place));
        int part = loop < 0 ? top.item(place) : plan.loops().get(loop).exit();
        return plan.parts().get(part).name();
    }
}
