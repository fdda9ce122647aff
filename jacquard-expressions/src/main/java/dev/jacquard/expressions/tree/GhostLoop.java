package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.codegen.KernelLoop;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills strips of ghosts on a device, a layer at a time: a loop over the layer with the field, moved by the layer's
 * distance, as its input, so that all strips of fields of any size have one kernel, or two where something varies.
 *
 * <p>Immutable.
 */
final class GhostLoop {
    private final WallNumbers numbers;
    private final KernelLoop constant;
    private final KernelLoop varying;

    GhostLoop(Grid grid, List<Strip> strips, Language language) {
        numbers = new WallNumbers(grid, strips);
        constant = KernelLoop.of(body(grid, false), language, 0, 1);
        varying = KernelLoop.of(body(grid, true), language, 0, 1, 2);
    }

    /** Returns {@code given + sign · inside}. */
    private static LoopBody body(Grid grid, boolean varies) {
        BodyBuilder builder = new BodyBuilder(grid.type());
        Value sign = builder.parameter("sign");
        Value given = varies ? builder.input(1, 0, 0, 0) : builder.parameter("given");
        Value inside = builder.apply(Operator.MULTIPLY, sign, builder.input(0, 0, 0, 0));
        return builder.build(varies ? 2 : 1, List.of(builder.apply(Operator.ADD, given, inside)));
    }

    /** Returns the text of the kernels. */
    String source() {
        return constant.source().text() + varying.source().text();
    }

    /**
     * Tells a stream to fill all strips.
     *
     * @param ghosts the ghosts to fill, and the cells that they follow from
     * @param otherEnd the cells at the other end of a periodic axis
     * @param walls the {@linkplain WallNumbers numbers} of the values that vary; null if nothing does
     */
    void launch(DeviceStream stream, DevicePart ghosts, DevicePart otherEnd, @Nullable DeviceBuffer walls) {
        for (int i = 0; i < numbers.strips().size(); i++) {
            Strip strip = numbers.strips().get(i);
            DevicePart source = strip.isPeriodic() ? otherEnd : ghosts;
            for (int layer = 0; layer < strip.layers(); layer++) {
                List<DeviceBuffer> memories = new ArrayList<>(List.of(source.memory()));
                List<Binding.Place> places = new ArrayList<>(List.of(moved(strip, layer, source.place())));
                boolean varies = walls != null && strip.varies();
                if (varies) {
                    memories.add(walls);
                    places.add(numbers.place(i, layer));
                }
                memories.add(ghosts.memory());
                places.add(ghosts.place());
                double[] parameters =
                        varies ? new double[] {strip.sign()} : new double[] {strip.sign(), strip.constant(layer)};
                (varies ? varying : constant).launch(stream, memories, places, parameters, strip.ghosts(layer));
            }
        }
    }

    /** Returns the place of the field moved so far that each ghost of a layer is where its cell was. */
    private static Binding.Place moved(Strip strip, int layer, Binding.Place place) {
        long start = place.start() + strip.inside(place, layer, 0) - strip.ghost(place, layer, 0);
        return new Binding.Place(MemorySegment.NULL, start, place.strideY(), place.strideZ());
    }
}
