package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.PlaneChoice;
import dev.jacquard.apps.stitching.align.Optimisation;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a stitching program, checked.
 *
 * @param folder where the tiles are, exists
 * @param pattern how they are named
 * @param planes which pages of a tile are read
 * @param layout how their names map to places
 * @param overlap the part of a tile that its neighbour shows too, or {@link #AUTO}
 * @param workers threads that run tasks, at least 1, and no more than can have something to do at once: a tile has at
 *     most two pairs, and each worker has its own memory
 * @param transforms how many Fourier transforms live at most, or {@link #AUTO}
 * @param traversal the order in which tiles are read
 * @param fft the library for Fourier transforms
 * @param peaks how many peaks of each correlation are tested
 * @param optimise how positions are made from displacements
 * @param blend how the mosaic shows overlaps
 */
record StitchingSettings(
        Path folder,
        TilePattern pattern,
        PlaneChoice planes,
        GridLayout layout,
        double overlap,
        int workers,
        int transforms,
        TileGrid.Traversal traversal,
        FftChoice fft,
        int peaks,
        Optimisation optimise,
        Blend blend) {
    /** The image that is made of the planes of a stack. */
    enum Projection {
        NONE,
        MAX
    }

    /** The value of {@code overlap} and {@code transforms} that leaves the choice to the program. */
    public static final int AUTO = 0;

    private static final String FOLDER_MEANING = "the folder of the tiles, grayscale TIFF";
    private static final Setting<String> FOLDER = Setting.optional(
            "tiles.folder",
            Setting.Type.text("a folder"),
            Setting.Type.AUTO,
            FOLDER_MEANING + "; auto takes the one that another component of the program gives");
    private static final Setting<String> PATTERN = Setting.required(
            "tiles.pattern",
            Setting.Type.text("a file name with {rrr} and {ccc}, or {ppp}"),
            "names of the tiles: {rrr} and {ccc} for row and column, or {ppp} for a number in sequence,"
                    + " padded with zeros to as many digits as letters");
    private static final Setting<Integer> CHANNEL = Setting.optional(
            "tiles.channel",
            Setting.Type.integerOrAuto(1, 1_000_000),
            "auto",
            "for files with several channels: the number of one, from 1");
    private static final Setting<String> PLANE = Setting.optional(
            "tiles.plane",
            Setting.Type.text("a page, as 3, or a plane and a time, as z3 t2"),
            "auto",
            "for files with several pages: the number of one, from 1, or of a plane z and a time t");
    private static final Setting<Projection> PROJECTION = Setting.optional(
            "tiles.projection",
            Setting.Type.choice(Projection.class),
            "none",
            "for files with several pages: max takes the largest sample over all planes");
    private static final Setting<Integer> ROWS =
            Setting.required("grid.rows", Setting.Type.integer(1, 10_000), "rows of the grid");
    private static final Setting<Integer> COLUMNS =
            Setting.required("grid.columns", Setting.Type.integer(1, 10_000), "columns of the grid");
    private static final Setting<Integer> FIRST =
            Setting.optional("grid.first", Setting.Type.integer(0, 100_000_000), "1", "the first number in the names");
    private static final Setting<GridLayout.Order> ORDER = Setting.optional(
            "grid.order",
            Setting.Type.choice(GridLayout.Order.class),
            "row",
            "for {ppp}: consecutive tiles run along a row, or down a column");
    private static final Setting<Boolean> SERPENTINE = Setting.optional(
            "grid.serpentine", Setting.Type.flag(), "false", "for {ppp}: every second row or column runs backwards");
    private static final Setting<GridLayout.Corner> START = Setting.optional(
            "grid.start", Setting.Type.choice(GridLayout.Corner.class), "top-left", "the corner of the first tile");
    private static final Setting<Double> OVERLAP = Setting.optional(
            "overlap",
            Setting.Type.fractionOrAuto(0.001, 0.95),
            "auto",
            "the part of a tile that its neighbour shows too; auto estimates it");
    private static final Setting<Integer> WORKERS = Setting.optional(
            "workers", Setting.Type.integerOrAuto(1, 4096), "auto", "threads that work; auto takes all processors");
    private static final Setting<Integer> TRANSFORMS = Setting.optional(
            "transforms",
            Setting.Type.integerOrAuto(1, Integer.MAX_VALUE),
            "auto",
            "how many Fourier transforms are in memory at most; auto takes as many as the traversal needs");
    private static final Setting<TileGrid.Traversal> TRAVERSAL = Setting.optional(
            "traversal",
            Setting.Type.choice(TileGrid.Traversal.class),
            "diagonal-serpentine",
            "the order in which tiles are read");
    private static final Setting<FftChoice> FFT = Setting.optional(
            "fft",
            Setting.Type.choice(FftChoice.class),
            "auto",
            "the library for Fourier transforms; auto takes FFTW where it is installed");
    private static final Setting<Integer> PEAKS = Setting.optional(
            "peaks", Setting.Type.integer(1, 100), "2", "how many peaks of each correlation are tested");
    private static final Setting<Optimisation> OPTIMISE = Setting.optional(
            "optimise",
            Setting.Type.choice(Optimisation.class),
            "least-squares",
            "how positions are made: as correlated, along the best spanning tree, or as the best fit to all pairs");
    private static final Setting<Blend> BLEND = Setting.optional(
            "blend",
            Setting.Type.choice(Blend.class),
            "linear",
            "how the mosaic shows overlaps: blended, or last on top");

    /** All settings, in the order of the documentation. */
    public static List<Setting<?>> all() {
        return List.of(
                FOLDER,
                PATTERN,
                CHANNEL,
                PLANE,
                PROJECTION,
                ROWS,
                COLUMNS,
                FIRST,
                ORDER,
                SERPENTINE,
                START,
                OVERLAP,
                WORKERS,
                TRANSFORMS,
                TRAVERSAL,
                FFT,
                PEAKS,
                OPTIMISE,
                BLEND);
    }

    /**
     * The values of a program.
     *
     * @throws InputException if the folder does not exist, the pattern is none, or the pool is too small for the
     *     traversal
     */
    public static StitchingSettings of(Settings settings) {
        if (settings.get(FOLDER).equals(Setting.Type.AUTO)) {
            throw settings.given(FOLDER).error("'tiles.folder' is missing; expected a folder (" + FOLDER_MEANING + ")");
        }
        return of(settings, settings.folder(FOLDER));
    }

    /**
     * The values of a program with tiles in {@code folder}, whatever the settings say.
     *
     * @throws InputException if the pattern is none, or the pool is too small for the traversal
     */
    static StitchingSettings of(Settings settings, Path folder) {
        TilePattern pattern = TilePattern.parse(settings.get(PATTERN));
        if (settings.get(ROWS) * (long) settings.get(COLUMNS) > 1_000_000) {
            throw new InputException("a grid of " + settings.get(ROWS) + " x " + settings.get(COLUMNS)
                    + " tiles; expected 1,000,000 at most");
        }
        GridLayout layout = new GridLayout(
                settings.get(ROWS),
                settings.get(COLUMNS),
                settings.get(FIRST),
                settings.get(ORDER),
                settings.get(SERPENTINE),
                settings.get(START));
        TileGrid.Traversal traversal = settings.get(TRAVERSAL);
        int transforms = settings.get(TRANSFORMS);
        checkPool(transforms, traversal, layout);
        int workers = settings.get(WORKERS);
        return new StitchingSettings(
                folder,
                pattern,
                planes(settings),
                layout,
                settings.get(OVERLAP),
                useful(workers == AUTO ? Machine.availableProcessors() : workers, layout),
                transforms,
                traversal,
                settings.get(FFT),
                settings.get(PEAKS),
                settings.get(OPTIMISE),
                settings.get(BLEND));
    }

    private static PlaneChoice planes(Settings settings) {
        int channel = settings.get(CHANNEL);
        boolean isMaximum = settings.get(PROJECTION) == Projection.MAX;
        String plane = settings.get(PLANE);
        if (plane.equals(Setting.Type.AUTO)) {
            return new PlaneChoice(channel, 0, 0, isMaximum);
        }
        try {
            return PlaneChoice.parse(channel, plane, isMaximum);
        } catch (IllegalArgumentException e) {
            throw settings.given(PLANE)
                    .error("'tiles.plane' is \"" + plane
                            + "\"; expected a page, as 3, or a plane and a time, as z3 t2");
        }
    }

    private static int useful(int workers, GridLayout layout) {
        return Math.min(workers, 2 * layout.size());
    }

    /** Returns the same settings for a session with {@code all} workers. */
    StitchingSettings workers(int all) {
        return new StitchingSettings(
                folder,
                pattern,
                planes,
                layout,
                overlap,
                useful(all, layout),
                transforms,
                traversal,
                fft,
                peaks,
                optimise,
                blend);
    }

    /** Returns the known properties of the stage that took the tiles. */
    StagePrior prior(TileGrid tiles) {
        return overlap == AUTO
                ? StagePrior.auto(tiles.tileWidth(), tiles.tileHeight())
                : new StagePrior(tiles.tileWidth(), tiles.tileHeight(), overlap);
    }

    private static void checkPool(int transforms, TileGrid.Traversal traversal, GridLayout layout) {
        int smallest = traversal.smallestPool(layout.rows(), layout.columns());
        if (transforms != AUTO && transforms < smallest) {
            throw new InputException("'transforms' is " + transforms + ", too few to ever finish: a grid of "
                    + layout.rows() + " x " + layout.columns() + " tiles read in " + Setting.Type.nameOf(traversal)
                    + " order needs at least " + smallest);
        }
    }

    /** Finds and checks all tiles; see {@link TileGrid#find}. */
    public TileGrid findTiles() {
        return TileGrid.find(folder, pattern, layout, planes);
    }
}
