package dev.jacquard.tools;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.drawing.SvgWriter;
import java.util.ArrayList;
import java.util.List;

/** A machine as nested boxes: memory at the top of its box, processors below, devices below these. */
final class MachinePicture {
    private static final double GAP = 6;
    private static final double LINE = 16;
    private static final int FONT = 11;
    private static final double SHAPE = 1.6;

    private MachinePicture() {}

    /** A box with the places of the boxes within it, relative to its own. Confined to one picture. */
    private static final class Box {
        final MachineObject object;
        final String label;
        final List<Box> within = new ArrayList<>();
        double x;
        double y;
        double width;
        double height;

        Box(MachineObject object) {
            this.object = object;
            label = MachineTree.label(object);
        }
    }

    /** Returns the picture as SVG. */
    static String svg(Machine machine) {
        Box root = box(machine.root());
        SvgWriter svg = new SvgWriter(root.width + 2 * GAP, root.height + 2 * GAP);
        draw(root, GAP, GAP, svg);
        return svg.finish();
    }

    private static Box box(MachineObject object) {
        Box box = new Box(object);
        box.width = SvgWriter.width(box.label, FONT, false) + 2 * GAP;
        box.height = LINE + GAP;
        List<Box> memory = new ArrayList<>();
        List<Box> processors = new ArrayList<>();
        List<Box> others = new ArrayList<>();
        for (MachineObject child : object.children()) {
            Box its = box(child);
            (child.kind().isMemory() ? memory : child.kind().holdsProcessors() ? processors : others).add(its);
            box.within.add(its);
        }
        for (List<Box> group : List.of(memory, processors, others)) {
            arrange(group, box);
        }
        return box;
    }

    /** Puts boxes into rows below those that are in a box, so that together they are about as wide as high. */
    private static void arrange(List<Box> boxes, Box around) {
        if (boxes.isEmpty()) {
            return;
        }
        double area = boxes.stream()
                .mapToDouble(box -> (box.width + GAP) * (box.height + GAP))
                .sum();
        double widest = boxes.stream().mapToDouble(box -> box.width).max().orElse(0);
        double room = Math.max(Math.max(widest, around.width - 2 * GAP), Math.sqrt(area * SHAPE));
        double x = GAP;
        double y = around.height;
        double row = 0;
        for (Box box : boxes) {
            if (x > GAP && x + box.width > GAP + room) {
                x = GAP;
                y += row + GAP;
                row = 0;
            }
            box.x = x;
            box.y = y;
            x += box.width + GAP;
            row = Math.max(row, box.height);
            around.width = Math.max(around.width, x);
        }
        around.height = y + row + GAP;
    }

    private static void draw(Box box, double x, double y, SvgWriter svg) {
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"#52606d\"/>\n",
                x, y, box.width, box.height, colour(box.object.kind()));
        svg.text(x + GAP, y + LINE - 3, "start", FONT, false, box.label);
        for (Box its : box.within) {
            draw(its, x + its.x, y + its.y, svg);
        }
    }

    private static String colour(Kind kind) {
        if (kind.isMemory()) {
            return "#f0e6c8";
        }
        if (kind.isInputOutput()) {
            return "#dcebd9";
        }
        return switch (kind) {
            case MACHINE, MISC -> "#ffffff";
            case GROUP, DIE, PACKAGE -> "#e4e7eb";
            case CORE -> "#cbd2d9";
            case PU -> "#ffffff";
            default -> "#d9e7f5";
        };
    }
}
