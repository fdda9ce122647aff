package dev.jacquard.expressions.files;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.drawing.PngWriter;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields to files, and takes back what was saved; {@code FieldStore.files()} returns it. A file takes its place
 * when it is whole; an earlier one stays there until then.
 *
 * <pre>{@code
 * fields.files().npy(T, Path.of("T.npy"));
 * fields.files().vti(Path.of("heat.vti"), T, Q);
 * fields.files().image(T, Slice.z(64), Path.of("T.png"));
 * }</pre>
 *
 * <p>Threads: any, one at a time. Each method waits for the tasks that write the fields, so no task may call it. What
 * cannot be written is an {@link IOException} that names the file and the reason.
 */
public final class FieldFiles {
    private final Session session;
    private final BiFunction<Tag<?>, Mode, List<GridField>> fields;
    private final BiConsumer<GridField, Mode> before;

    private FieldFiles(
            Session session, BiFunction<Tag<?>, Mode, List<GridField>> fields, BiConsumer<GridField, Mode> before) {
        this.session = session;
        this.fields = fields;
        this.before = before;
    }

    /**
     * Returns the files of fields that another object holds.
     *
     * @param fields returns the field of a tag, or the components of a vector
     */
    public static FieldFiles of(Session session, Function<Tag<?>, List<GridField>> fields) {
        Objects.requireNonNull(fields, "fields");
        return of(session, (tag, mode) -> fields.apply(tag), (field, mode) -> {});
    }

    /**
     * Returns the files of fields that another object holds.
     *
     * @param fields returns the field of a tag, or the components of a vector, to be read or written, as the mode says
     * @param before is called before each field is read, or written, as the mode says; may throw to refuse it
     */
    public static FieldFiles of(
            Session session, BiFunction<Tag<?>, Mode, List<GridField>> fields, BiConsumer<GridField, Mode> before) {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(fields, "fields");
        return new FieldFiles(session, fields, Objects.requireNonNull(before, "before"));
    }

    /** Uses the values of fields while they are looked at. */
    @FunctionalInterface
    private interface Look {
        void at(List<FieldMemory> values) throws IOException;
    }

    /**
     * Opens fields in one view, so that no task of another thread has its place between them: it would wait for the one
     * field, and hold up the next.
     */
    private void look(List<GridField> all, Mode mode, Look look) throws IOException {
        all.forEach(field -> before.accept(field, mode));
        List<Data> data = all.stream().map(GridField::data).distinct().toList();
        String names = data.stream().map(Data::name).collect(Collectors.joining(", "));
        TaskBuilder task = session.graph("files", FailurePolicy.CONTINUE).task("view of " + names);
        data.forEach(one -> task.accesses(one, mode));
        try (UserView view = task.open()) {
            look.at(all.stream()
                    .map(field -> new FieldMemory(field, field.place(view.memory(field.data()))))
                    .toList());
        }
    }

    private GridField single(Tag<?> tag) {
        List<GridField> all = fields.apply(tag, Mode.READ);
        if (tag.isVector()) {
            throw new IllegalArgumentException("\"" + tag + "\" is a vector of " + all.size()
                    + " fields, each of which can be written: FieldStore.field(tag, axis)");
        }
        return all.getFirst();
    }

    // ---- arrays

    /**
     * Writes a field without its ghosts as an array of NumPy, slowest dimension first: z, y, x.
     *
     * @throws IllegalArgumentException for a vector, which has several arrays
     */
    public void npy(Tag<?> tag, Path file) throws IOException {
        npy(single(tag), file);
    }

    /** Writes a field, such as a component of a vector, as an array of NumPy. */
    public void npy(GridField field, Path file) throws IOException {
        look(List.of(field), Mode.READ, values -> NpyFile.write(values.getFirst(), file));
    }

    /**
     * Writes fields of one grid, without ghosts, as image data of VTK, which ParaView opens. Fields in cells are cell
     * data and fields at nodes are point data. A field on faces is the mean of each cell's two faces there, and a
     * vector has three components of such means.
     *
     * @throws IllegalArgumentException if there is no field, or two have one name
     */
    public void vti(Path file, Tag<?>... tags) throws IOException {
        List<GridField> all = Arrays.stream(tags)
                .flatMap(tag -> fields.apply(tag, Mode.READ).stream())
                .toList();
        long names = Arrays.stream(tags).map(Tag::name).distinct().count();
        if (tags.length == 0 || names < tags.length) {
            throw new IllegalArgumentException(
                    file + " is to have one or more fields, each with another name, not " + Arrays.toString(tags));
        }
        look(all, Mode.READ, values -> {
            List<VtiFile.Array> arrays = new ArrayList<>();
            int first = 0;
            for (Tag<?> tag : tags) {
                int count = fields.apply(tag, Mode.READ).size();
                arrays.add(new VtiFile.Array(tag.name(), values.subList(first, first + count), tag.isVector()));
                first += count;
            }
            new VtiFile(all.getFirst().grid(), arrays).write(file);
        });
    }

    // ---- pictures

    /**
     * Writes a picture of a slice whose time is not known, as {@link #image(Tag, Slice, Path, double)} does.
     *
     * @throws IllegalArgumentException for a vector, or a slice that the field does not have
     */
    public void image(Tag<?> tag, Slice slice, Path file) throws IOException {
        image(tag, slice, file, Double.NaN);
    }

    /**
     * Writes a picture of a slice as PNG: a square of pixels for each point, the name of the field, the time, the ends
     * of both axes, and a colour bar with the least and the greatest value. NaN is red. The longer side of the points
     * has about 512 pixels, or one per point. Of {@link Slice#plain()} the file has the points alone.
     *
     * @param time the time of the values; NaN if it is not known
     * @throws IllegalArgumentException for a vector, or a slice that the field does not have
     */
    public void image(Tag<?> tag, Slice slice, Path file, double time) throws IOException {
        GridField field = single(tag);
        SlicePixels points = new SlicePixels(field, slice);
        look(List.of(field), Mode.READ, values -> {
            SlicePicture picture = new SlicePicture(points, points.finite(values.getFirst()), false);
            byte[] pixels = picture.pixels(values.getFirst(), time);
            try (AtomicFile out = AtomicFile.create(file)) {
                try (PngWriter png = PngWriter.coloured(
                        out.channel(),
                        picture.columns(),
                        picture.rows(),
                        slice.colours().palette())) {
                    png.picture(pixels);
                }
                out.commit();
            }
        });
    }

    /**
     * Starts an animation of a slice, as an animated PNG, which browsers show. It has no frame yet.
     *
     * @param slice if it has no range of colours, all frames have that of the first
     * @param millis how long each frame is shown, 1 to 65,535
     * @throws IllegalArgumentException as {@link #image}
     */
    public Animation animation(Tag<?> tag, Slice slice, Path file, int millis) throws IOException {
        GridField field = single(tag);
        PngWriter.requireShown(millis);
        return new Animation(new SlicePixels(field, slice), AtomicFile.create(file), millis);
    }

    /** A file of pictures, one for each call of {@link #frame}. Threads: any, one at a time. */
    public final class Animation implements AutoCloseable {
        private final SlicePixels points;
        private final AtomicFile file;
        private final int millis;
        private @Nullable SlicePicture picture;
        private @Nullable PngWriter png;
        private boolean whole;

        private Animation(SlicePixels points, AtomicFile file, int millis) {
            this.points = points;
            this.file = file;
            this.millis = millis;
        }

        /** Adds the slice as it is now, without a time. */
        public void frame() throws IOException {
            frame(Double.NaN);
        }

        /** Adds the slice as it is now, with the time of its values. */
        public void frame(double time) throws IOException {
            whole = false;
            look(List.of(points.field), Mode.READ, values -> frame(values.getFirst(), time));
            whole = true;
        }

        private void frame(FieldMemory values, double time) throws IOException {
            SlicePicture its = picture;
            PngWriter to = png;
            if (its == null || to == null) {
                its = new SlicePicture(points, points.finite(values), true);
                byte[] palette = points.slice.colours().palette();
                to = PngWriter.animated(file.channel(), its.columns(), its.rows(), palette, millis);
                picture = its;
                png = to;
            }
            to.picture(its.pixels(values, time));
        }

        /** Ends the file, and brings it to its place if it has a frame and none has failed. */
        @Override
        public void close() throws IOException {
            try (file) {
                if (whole && png != null) {
                    whole = false;
                    png.close();
                    file.commit();
                }
            }
        }
    }

    // ---- checkpoints

    /** The beginning of the names of entries that say the grid of a field. */
    private static final String GRID = "grid of ";

    /** The beginning of the names of entries that say where on its grid the points of a field are. */
    private static final String CENTRING = "centring of ";

    /**
     * Writes fields with their ghosts to a checkpoint, one after the other, each as it is then, as entries
     * {@code "field NAME"}, of vectors {@code "field NAME.x"}, each with its grid as {@code "grid of field NAME"}, and
     * where its points are as {@code "centring of field NAME"}.
     */
    public void save(CheckpointWriter out, Tag<?>... tags) throws IOException {
        for (Tag<?> tag : tags) {
            look(fields.apply(tag, Mode.READ), Mode.READ, all -> {
                for (int axis = 0; axis < all.size(); axis++) {
                    FieldMemory values = all.get(axis);
                    Range range = valid(values);
                    out.writeText(GRID + entry(tag, axis), values.field().grid().toString());
                    out.writeText(
                            CENTRING + entry(tag, axis),
                            values.field().centring().name());
                    out.writeBytes(entry(tag, axis), values.bytes(range), to -> values.rows(range, to::move));
                }
            });
        }
    }

    /**
     * Takes the values of fields, and their ghosts, from a checkpoint.
     *
     * @throws CheckpointReader.RefusedException if it lacks a field, has one of another grid or centring or other
     *     bytes, or is damaged; fields may have values of it then
     */
    public void restore(CheckpointReader in, Tag<?>... tags) throws IOException {
        for (Tag<?> tag : tags) {
            look(fields.apply(tag, Mode.WRITE), Mode.WRITE, all -> {
                for (int axis = 0; axis < all.size(); axis++) {
                    FieldMemory values = all.get(axis);
                    Range range = valid(values);
                    requireText(
                            in, GRID + entry(tag, axis), values.field().grid().toString());
                    requireText(
                            in,
                            CENTRING + entry(tag, axis),
                            values.field().centring().name());
                    in.readBytes(entry(tag, axis), values.bytes(range), from -> values.rows(range, from::move));
                }
            });
        }
    }

    /** Refuses another text, unless it is not there: earlier versions wrote less. */
    private static void requireText(CheckpointReader in, String name, String expected) throws IOException {
        if (in.names().contains(name)) {
            in.requireText(name, expected);
        }
    }

    private static Range valid(FieldMemory values) {
        return values.field().grid().valid(values.field().centring());
    }

    /** Returns the name of an entry, which is the tag's: fields of two tags may have been swapped. */
    private static String entry(Tag<?> tag, int axis) {
        return "field " + tag.name() + (tag.isVector() ? "." + "xyz".charAt(axis) : "");
    }
}
