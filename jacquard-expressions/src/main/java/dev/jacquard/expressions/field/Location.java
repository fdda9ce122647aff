package dev.jacquard.expressions.field;

import java.util.Locale;

/**
 * Where on a grid the values of a field lie. The types below are for the compiler, which so refuses expressions that
 * mix locations without an operator between them; there are no objects of them.
 */
public sealed interface Location {
    /** The centres of the cells. */
    final class Cell implements Location {
        private Cell() {}
    }

    /** The centres of the faces between cells that are neighbours along x. */
    final class FaceX implements Location {
        private FaceX() {}
    }

    /** The centres of the faces between cells that are neighbours along y. */
    final class FaceY implements Location {
        private FaceY() {}
    }

    /** The centres of the faces between cells that are neighbours along z. */
    final class FaceZ implements Location {
        private FaceZ() {}
    }

    /** The centres of all faces: a vector; its component along an axis lies on the faces across that axis. */
    final class Faces implements Location {
        private Faces() {}
    }

    /** The corners of the cells. */
    final class Node implements Location {
        private Node() {}
    }

    /** The place of a field's points relative to the cells of its grid. */
    enum Centring {
        /** At the centres of the cells. */
        CELL(-1),
        /** At the faces across x. */
        FACE_X(0),
        /** At the faces across y. */
        FACE_Y(1),
        /** At the faces across z. */
        FACE_Z(2),
        /** At the corners of the cells. */
        NODE(-1);

        /** The axis across which the faces lie; -1 for other points. */
        private final int axis;

        Centring(int axis) {
            this.axis = axis;
        }

        /** Returns the centring of the faces across an axis, 0 for x. */
        public static Centring face(int axis) {
            return axis == 0 ? FACE_X : axis == 1 ? FACE_Y : FACE_Z;
        }

        /**
         * Returns true if the points lie on the boundaries between cells along {@code axis}, not in their middle: then
         * there is one more of them.
         */
        public boolean isStaggered(int axis) {
            return this == NODE || this.axis == axis;
        }

        /** Returns the name for messages, like {@code face x}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
