package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The loop of a body as a kernel, with a work item for each point, in OpenCL C or CUDA C++. Computes the bits that all
 * forms of loops compute: each operation is rounded as it is written, which {@link KernelSource#exact} asks the
 * compilers for. Devices that cannot do so are refused by name.
 *
 * <p>Bodies that differ in constants only, or work on fields of other sizes, have one text, which a device compiles
 * once.
 *
 * <p>Threads: any. Immutable.
 */
public final class KernelLoop {
    /** The least that devices of OpenCL take, in bytes ({@code CL_DEVICE_MAX_PARAMETER_SIZE}). */
    private static final int MOST_BYTES = 1024;
    /** Operations beyond which compilers of devices take too long: seconds. */
    private static final int MOST_VALUES = 5_000;

    private static final int RANGE_BYTES = 6 * Integer.BYTES;
    private static final int LAYOUT_BYTES = 3 * Long.BYTES;

    private final LoopBody body;
    private final int[] layouts;
    private final boolean literals;
    private final int bytes;
    private final KernelSource source;

    private KernelLoop(LoopBody body, Language language, int maxima, int... layouts) {
        this.body = body;
        this.layouts = layouts.clone();
        int fixed = RANGE_BYTES
                + Long.BYTES * (layouts.length + Math.min(1, maxima))
                + LAYOUT_BYTES * KernelText.layoutCount(layouts)
                + body.type().bytes() * body.parameters().size();
        int constants = body.type().bytes() * body.constants().length;
        literals = fixed + constants > MOST_BYTES;
        bytes = literals ? fixed : fixed + constants;
        String text = new KernelText(body, language, maxima, layouts, literals).text();
        String name = KernelText.FUNCTION + (language == Language.CUDA ? ".cu" : ".cl");
        source = new KernelSource(language, name, KernelText.FUNCTION, text).exact();
    }

    /**
     * Returns the kernel of a body.
     *
     * @param layouts for each input, then for each result, a number from 0 on: fields of one number lie alike in their
     *     memory
     * @throws IllegalArgumentException if there are more numbers, or fewer
     */
    public static KernelLoop of(LoopBody body, Language language, int... layouts) {
        return withMaxima(body, language, 0, layouts);
    }

    /**
     * Returns the kernel of a body with last results that are no fields: the kernel keeps their maxima over all points.
     * An atomic operation takes the greater of the 32 most significant bits, so all orders of points give the same
     * ones.
     *
     * @param maxima the number of these results, none of which is below 0
     * @param layouts as for other bodies, of the other results
     */
    public static KernelLoop withMaxima(LoopBody body, Language language, int maxima, int... layouts) {
        int fields = body.inputs() + body.results().size() - maxima;
        if (layouts.length != fields) {
            throw new IllegalArgumentException(
                    "a body of " + fields + " fields has as many layouts, not " + layouts.length);
        }
        return new KernelLoop(body, language, maxima, layouts);
    }

    /** Returns the source of the kernel. */
    public KernelSource source() {
        return source;
    }

    /**
     * Tells a stream to compute the results at all points of a range.
     *
     * @param memories of the inputs, then of the results; at last that of the maxima if there are some, as many numbers
     *     of the body's type, which are 0 before the first run
     * @param places of the same in these memories, in bytes; their segments are not looked at
     * @param parameters the numbers of this run, one for each of the body's parameters
     * @throws DeviceException if the device cannot compute the body, or not with the same bits
     */
    public void launch(
            DeviceStream stream,
            List<DeviceBuffer> memories,
            List<Binding.Place> places,
            double[] parameters,
            Range range) {
        Device device = stream.device();
        refusal(device).ifPresent(reason -> {
            throw new DeviceException(device.name() + " (" + device.properties().model() + ") " + reason);
        });
        if (range.points() == 0) {
            return;
        }
        List<Object> arguments = new ArrayList<>();
        for (int bound : new int[] {range.x0(), range.x1(), range.y0(), range.y1(), range.z0(), range.z1()}) {
            arguments.add(bound);
        }
        arguments.addAll(memories);
        addLayouts(arguments, places);
        if (!literals) {
            addReals(arguments, body.constants());
        }
        addReals(arguments, Arrays.copyOf(parameters, body.parameters().size()));
        LaunchShape items =
                new LaunchShape(range.x1() - range.x0(), range.y1() - range.y0(), range.z1() - range.z0(), 0, 0, 0);
        stream.launch(device.compile(source), items, arguments);
    }

    private void addLayouts(List<Object> arguments, List<Binding.Place> places) {
        int size = body.type().bytes();
        for (int layout = 0; layout < KernelText.layoutCount(layouts); layout++) {
            int field = 0;
            while (layouts[field] != layout) {
                field++;
            }
            Binding.Place place = places.get(field);
            arguments.add(place.start() / size);
            arguments.add(place.strideY() / size);
            arguments.add(place.strideZ() / size);
        }
    }

    private void addReals(List<Object> arguments, double... numbers) {
        for (double number : numbers) {
            arguments.add(body.type() == DataType.FLOAT32 ? (Object) (float) number : (Object) number);
        }
    }

    /** Returns the reason why a device cannot run this kernel with the bits that all other loops compute. */
    public Optional<String> refusal(Device device) {
        boolean single = body.type() == DataType.FLOAT32;
        boolean divides = body.values().stream()
                .anyMatch(value -> value.operator() == Operator.DIVIDE || value.operator() == Operator.SQRT);
        String reason = null;
        if (!single && lacks(device, "double_precision")) {
            reason = "has no double precision: Grid.type(FLOAT32) makes fields of floats";
        } else if (single && lacks(device, "float_denormals")) {
            reason = "takes floats below 2^-126 for 0, which changes the bits of results";
        } else if (single && divides && lacks(device, "float_rounded_division")) {
            reason = "rounds quotients and roots of floats as it likes, which changes the bits of results";
        } else if (bytes > MOST_BYTES) {
            reason = "takes " + MOST_BYTES + " bytes of arguments, and a loop over " + layouts.length + " fields has "
                    + bytes + ": compute some of it into separate fields";
        } else if (body.values().size() > MOST_VALUES) {
            reason = "would compile a loop of " + body.values().size() + " operations for too long, the most are "
                    + MOST_VALUES + ": compute some of it into separate fields";
        }
        return Optional.ofNullable(reason);
    }

    private static boolean lacks(Device device, String property) {
        return "false".equals(device.properties().more().get(property));
    }
}
