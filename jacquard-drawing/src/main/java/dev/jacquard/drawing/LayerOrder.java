package dev.jacquard.drawing;

import dev.jacquard.drawing.LayeredLayout.Place;
import java.util.Comparator;
import java.util.List;

/**
 * The order of the places in each layer, in which few links cross, in the manner of Gansner, Koutsofios, North and Vo
 * ("A technique for drawing directed graphs", 1993). Sweeps forward and back sort each layer by the mean place of the
 * neighbours; after each, two places side by side change places where this takes crossings away; the order with the
 * fewest crossings stays.
 *
 * <p>A sweep takes time in proportion to places and pieces of links, but for sorts. The order depends on nothing but
 * the graph.
 *
 * <p>Threads: confined.
 */
final class LayerOrder {
    private static final int MOST_SWEEPS = 24;
    private static final int MOST_IN_VAIN = 8;
    private static final int EXCHANGES = 3;

    private final List<List<Place>> layers;
    private final double gap;

    /** Orders {@code layers} in place; {@code gap} is the least distance of two places. */
    LayerOrder(List<List<Place>> layers, double gap) {
        this.layers = layers;
        this.gap = gap;
        layers.forEach(this::stack);
    }

    /** Orders all layers, and puts their places one next to the other. */
    void find() {
        long fewest = Long.MAX_VALUE;
        List<List<Place>> best = List.of();
        int vain = 0;
        for (int sweep = 0; fewest > 0 && sweep < MOST_SWEEPS && vain < MOST_IN_VAIN; sweep++) {
            sort(sweep % 2 == 0);
            exchange();
            long crossings = crossings();
            vain++;
            if (crossings < fewest) {
                fewest = crossings;
                best = layers.stream().map(List::copyOf).toList();
                vain = 0;
            }
        }
        for (int layer = 0; layer < best.size(); layer++) {
            List<Place> places = layers.get(layer);
            places.clear();
            places.addAll(best.get(layer));
            stack(places);
        }
    }

    /** One next to the other, centred on 0, so that layers of different lengths compare. */
    private void stack(List<Place> layer) {
        double length = -gap;
        for (Place place : layer) {
            length += place.size + gap;
        }
        double at = -length / 2;
        for (int i = 0; i < layer.size(); i++) {
            Place place = layer.get(i);
            place.index = i;
            place.across = at + place.size / 2;
            at += place.size + gap;
        }
    }

    private void sort(boolean forward) {
        for (List<Place> layer : forward ? layers : layers.reversed()) {
            for (Place place : layer) {
                place.wish = LayeredLayout.mean(forward ? place.before : place.behind, List.of(), place);
            }
            layer.sort(Comparator.comparingDouble(place -> place.wish));
            stack(layer);
        }
    }

    private void exchange() {
        boolean changed = true;
        for (int pass = 0; changed && pass < EXCHANGES; pass++) {
            changed = false;
            for (List<Place> layer : layers) {
                changed |= exchange(layer);
            }
        }
        layers.forEach(this::stack);
    }

    private static boolean exchange(List<Place> layer) {
        for (Place place : layer) {
            place.before.sort(Comparator.comparingInt(neighbour -> neighbour.index));
            place.behind.sort(Comparator.comparingInt(neighbour -> neighbour.index));
        }
        boolean changed = false;
        for (int i = 1; i < layer.size(); i++) {
            Place left = layer.get(i - 1);
            Place right = layer.get(i);
            if (gain(left.before, right.before) + gain(left.behind, right.behind) > 0) {
                layer.set(i - 1, right);
                layer.set(i, left);
                right.index = i - 1;
                left.index = i;
                changed = true;
            }
        }
        return changed;
    }

    /** Crossings between the links of two places side by side, less the crossings when they change places. */
    private static long gain(List<Place> left, List<Place> right) {
        long now = 0;
        long then = 0;
        int less = 0;
        int notMore = 0;
        for (Place neighbour : left) {
            while (less < right.size() && right.get(less).index < neighbour.index) {
                less++;
            }
            while (notMore < right.size() && right.get(notMore).index <= neighbour.index) {
                notMore++;
            }
            now += less;
            then += right.size() - notMore;
        }
        return now - then;
    }

    private long crossings() {
        long crossings = 0;
        for (int layer = 1; layer < layers.size(); layer++) {
            crossings += crossings(layers.get(layer - 1), layers.get(layer).size());
        }
        return crossings;
    }

    /** Each link crosses the links from places further left that have ends further right. */
    private static long crossings(List<Place> layer, int ends) {
        int[] sums = new int[ends + 1]; // a Fenwick tree
        long crossings = 0;
        int links = 0;
        for (Place place : layer) {
            for (Place end : place.behind) {
                crossings += links;
                for (int i = end.index + 1; i > 0; i -= i & -i) {
                    crossings -= sums[i];
                }
            }
            for (Place end : place.behind) {
                links++;
                for (int i = end.index + 1; i <= ends; i += i & -i) {
                    sums[i]++;
                }
            }
        }
        return crossings;
    }
}
