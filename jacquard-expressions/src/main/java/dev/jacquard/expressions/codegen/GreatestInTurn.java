package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding.Place;
import dev.jacquard.expressions.loop.Loop.Range;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One number after the other. */
final class GreatestInTurn {
    private GreatestInTurn() {}

    static final class OfDoubles extends Greatest {
        @Override
        public long magnitude(Place field, Range points) {
            long most = 0;
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long row = row(field, points, y, z, Double.BYTES);
                    most = Math.max(most, magnitude(field.segment(), row, points.x1() - points.x0()));
                }
            }
            return most;
        }

        @Override
        public long distance(Place field, Place first, double a, Place second, double b, Range points) {
            long most = 0;
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long its = row(field, points, y, z, Double.BYTES);
                    long one = row(first, points, y, z, Double.BYTES);
                    long other = row(second, points, y, z, Double.BYTES);
                    for (int x = points.x1() - points.x0() - 1; x >= 0; x--) {
                        long at = (long) x * Double.BYTES;
                        double sum = get(first.segment(), one + at) * a;
                        sum = b == 0 ? sum : sum + get(second.segment(), other + at) * b;
                        most = Math.max(most, bits(get(field.segment(), its + at) - sum));
                    }
                }
            }
            return most;
        }

        private static long magnitude(MemorySegment memory, long row, int count) {
            long most = 0;
            for (int x = 0; x < count; x++) {
                most = Math.max(most, bits(get(memory, row + (long) x * Double.BYTES)));
            }
            return most;
        }

        private static double get(MemorySegment memory, long at) {
            return memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
        }

        private static long bits(double number) {
            return Double.doubleToRawLongBits(number) & Long.MAX_VALUE;
        }
    }

    static final class OfFloats extends Greatest {
        @Override
        public long magnitude(Place field, Range points) {
            int most = 0;
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long row = row(field, points, y, z, Float.BYTES);
                    most = Math.max(most, magnitude(field.segment(), row, points.x1() - points.x0()));
                }
            }
            return most;
        }

        @Override
        public long distance(Place field, Place first, double a, Place second, double b, Range points) {
            int most = 0;
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long its = row(field, points, y, z, Float.BYTES);
                    long one = row(first, points, y, z, Float.BYTES);
                    long other = row(second, points, y, z, Float.BYTES);
                    for (int x = points.x1() - points.x0() - 1; x >= 0; x--) {
                        long at = (long) x * Float.BYTES;
                        float sum = get(first.segment(), one + at) * (float) a;
                        sum = b == 0 ? sum : sum + get(second.segment(), other + at) * (float) b;
                        most = Math.max(most, bits(get(field.segment(), its + at) - sum));
                    }
                }
            }
            return most;
        }

        private static int magnitude(MemorySegment memory, long row, int count) {
            int most = 0;
            for (int x = 0; x < count; x++) {
                most = Math.max(most, bits(get(memory, row + (long) x * Float.BYTES)));
            }
            return most;
        }

        private static float get(MemorySegment memory, long at) {
            return memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
        }

        private static int bits(float number) {
            return Float.floatToRawIntBits(number) & Integer.MAX_VALUE;
        }
    }
}
