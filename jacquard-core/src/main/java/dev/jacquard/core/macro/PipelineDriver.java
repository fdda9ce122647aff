package dev.jacquard.core.macro;

import java.util.List;

/**
 * How the items of a macro task go through a device: copied in, computed by the kernel, copied out.
 *
 * @param name for messages
 * @param streams the number of streams; the items of different streams overlap
 * @param batch the most items of one launch
 */
public record PipelineDriver(String name, int streams, int batch) {
    private static final int USUAL_STREAMS = 4;
    private static final int USUAL_BATCH = 32;
    /** While a batch is computed the next one is copied. */
    private static final int STREAMS_OF_BATCHES = 2;

    /** Makes a driver. Throws {@link IllegalArgumentException} without a stream or an item in a batch. */
    public PipelineDriver {
        if (streams < 1 || batch < 1) {
            throw new IllegalArgumentException("pipeline driver \"" + name + "\" has at least 1 stream and 1 item in a"
                    + " batch, not " + streams + " and " + batch);
        }
    }

    /**
     * Returns the driver with an item at a time on each of {@code count} streams. A stream that has ended an item takes
     * the next one.
     */
    public static PipelineDriver streams(int count) {
        return new PipelineDriver("streams", count, 1);
    }

    /**
     * Returns the driver with up to {@code most} items in each launch, on two streams. The kernel has to be
     * {@linkplain dev.jacquard.memory.device.DeviceBody#isBatchable batchable}.
     */
    public static PipelineDriver batched(int most) {
        return new PipelineDriver("batched", STREAMS_OF_BATCHES, most);
    }

    /**
     * Returns the driver of that name: {@code streams}, with 4 of them, or {@code batched}, with 32 items in a batch.
     *
     * @throws IllegalArgumentException for another name
     */
    public static PipelineDriver named(String name) {
        return switch (name) {
            case "streams" -> streams(USUAL_STREAMS);
            case "batched" -> batched(USUAL_BATCH);
            default ->
                throw new IllegalArgumentException(
                        "there is no pipeline driver \"" + name + "\": choose one of " + names());
        };
    }

    /** Returns the names that {@link #named} knows. */
    public static List<String> names() {
        return List.of("streams", "batched");
    }
}
