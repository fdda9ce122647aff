package dev.jacquard.core.testing.random;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** The tasks that are at each cell right now: finds bodies that run at the same time and must not. Threads: any. */
final class Marks {
    private static final int READER = 1;
    private static final int ADDER = 1 << 8;
    private static final int MULTIPLIER = 1 << 16;
    private static final int WRITER = 1 << 24;
    private static final int ONE_KIND = 0xFF;

    private final Program program;
    private final AtomicIntegerArray[] cells;
    private final Guarded guarded;

    Marks(Program program) {
        this.program = program;
        this.guarded = new Guarded(program);
        this.cells = program.stores().stream()
                .map(store -> new AtomicIntegerArray(store.cells()))
                .toArray(AtomicIntegerArray[]::new);
    }

    /** Enters; returns where it met a task that it must not meet, or null. */
    @Nullable
    String enter(List<Touch> touches) {
        String met = guarded.begins(touches) ? null : "what a task has left half done";
        int[][] all = kinds(touches);
        for (int store = 0; store < all.length; store++) {
            for (int cell = 0; cell < all[store].length; cell++) {
                int kind = all[store][cell];
                if (kind != 0) {
                    int others = cells[store].getAndAdd(cell, kind);
                    int allowed = kind == WRITER ? 0 : kind * ONE_KIND;
                    if ((others & ~allowed) != 0) {
                        met = "s" + store + "[" + cell + "]: " + text(kind) + " met " + text(others);
                    }
                }
            }
        }
        return met;
    }

    /** A task that holds {@code touches} has done all its work. */
    void done(List<Touch> touches) {
        guarded.ends(touches);
    }

    /** A task that holds {@code touches} is about to fail. */
    void fails(List<Touch> touches) {
        guarded.fails(touches);
    }

    void exit(List<Touch> touches) {
        int[][] all = kinds(touches);
        for (int store = 0; store < all.length; store++) {
            for (int cell = 0; cell < all[store].length; cell++) {
                if (all[store][cell] != 0) {
                    cells[store].getAndAdd(cell, -all[store][cell]);
                }
            }
        }
    }

    private int[][] kinds(List<Touch> touches) {
        int[][] all = new int[cells.length][0];
        for (Touch touch : program.expanded(touches)) {
            Store store = program.stores().get(touch.store());
            if (all[store.number()].length == 0) {
                all[store.number()] = new int[store.cells()];
            }
            Span span = program.span(touch);
            for (int i = 0; i < span.size(); i++) {
                int cell = span.cell(i);
                int kind = kind(touch.how());
                int known = all[store.number()][cell];
                all[store.number()][cell] = known == 0 || known == kind ? kind : WRITER;
            }
        }
        return all;
    }

    private static int kind(How how) {
        return switch (how) {
            case READ -> READER;
            case ADD -> ADDER;
            case MUL -> MULTIPLIER;
            case UPDATE, WRITE, LOCKED, RENEWED -> WRITER;
            case NONE -> 0;
        };
    }

    private static String text(int kinds) {
        return Arrays.toString(new String[] {
            (kinds & ONE_KIND) + " readers",
            (kinds >>> 8 & ONE_KIND) + " adders",
            (kinds >>> 16 & ONE_KIND) + " multipliers",
            (kinds >>> 24) + " writers"
        });
    }
}
