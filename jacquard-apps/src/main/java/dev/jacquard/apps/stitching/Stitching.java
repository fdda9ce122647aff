package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.MosaicTiffWriter;
import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.Refinement;
import dev.jacquard.apps.stitching.pairs.DisplacementGraph;
import dev.jacquard.apps.stitching.pairs.DisplacementGraph.Displacements;
import dev.jacquard.apps.tiles.TilePosition;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The component {@code stitching}: finds where the tiles of a plate lie, and composes the mosaic. */
public final class Stitching implements Application {
    /** Newest spans kept per worker: some MiB. */
    private static final int SPANS = 1 << 16;

    private static final Sink<String> FOLDER = Sink.optional(
            "folder", SocketType.of(String.class), "The folder of the tiles, instead of the one in the settings.");
    private static final Source<List<TilePosition>> POSITIONS =
            Source.of("positions", TilePosition.LIST, "Where the tiles were found.");

    /** Made by the service loader. */
    public Stitching() {}

    @Override
    public String name() {
        return "stitching";
    }

    @Override
    public String description() {
        return "finds where the overlapping tiles of a microscope plate lie, and composes the mosaic";
    }

    @Override
    public List<Setting<?>> settings() {
        return StitchingSettings.all();
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(FOLDER, POSITIONS);
    }

    @Override
    public Report run(Job run) throws IOException {
        Checked checked = Checked.of(run, StitchingSettings.of(run.settings()));
        // By the system's clock: tasks take milliseconds, and a finer one some 60 ms to begin with.
        try (Session session = Session.builder()
                .workers(checked.settings.workers())
                .trace(SPANS)
                .clock(Clock.system())
                .open()) {
            return checked.stitch(session).report();
        }
    }

    /** Opens a part of a larger program, which works on the program's session. */
    @Override
    public Instance open(ComponentContext context) {
        Job job = Job.of(context);
        Input<String> folder = context.input(FOLDER);
        Output<List<TilePosition>> positions = context.output(POSITIONS);
        return () -> {
            StitchingSettings settings = folder.isEmpty()
                    ? StitchingSettings.of(job.settings())
                    : StitchingSettings.of(job.settings(), Path.of(folder.get()));
            Session session = context.session();
            Stitched found =
                    Checked.of(job, settings.workers(session.workers())).stitch(session);
            context.report(found.report);
            positions.set(found.plate.tilePositions());
            return true;
        };
    }

    /** The findings of a run. */
    private record Stitched(Report report, Plate plate) {}

    /** A run that can begin: all tiles are there. */
    private record Checked(Job run, StitchingSettings settings, FftProvider library, TileGrid tiles, PhaseTimes times) {
        static Checked of(Job run, StitchingSettings settings) {
            FftProvider library = Stitching.library(settings.fft());
            PhaseTimes times = new PhaseTimes(Clock.system());
            TileGrid tiles = settings.findTiles();
            HeapNeed.of(tiles, settings).require(Runtime.getRuntime().maxMemory());
            times.end("check");
            return new Checked(run, settings, library, tiles, times);
        }

        Stitched stitch(Session session) throws IOException {
            Stops stops = new Stops(run.cancellation());
            try {
                return new Phases(run, settings, library, tiles, session, times, stops).stitch();
            } catch (FlowFailedException | TaskFailedException e) {
                if (e.getCause() instanceof ImageFormatException damaged) {
                    throw new InputException(String.valueOf(damaged.getMessage()), e);
                }
                throw e;
            } finally {
                stops.clear();
            }
        }
    }

    private static FftProvider library(FftChoice choice) {
        try {
            return Ffts.byName(Setting.Type.nameOf(choice));
        } catch (IllegalStateException e) {
            throw new InputException("'fft': " + e.getMessage(), e);
        }
    }

    /** The actions that stop the work when it is cancelled. Confined to the thread that stitches. */
    private static final class Stops implements Consumer<Runnable> {
        private final Cancellation cancellation;
        private final List<Cancellation.Registration> set = new ArrayList<>();

        Stops(Cancellation cancellation) {
            this.cancellation = cancellation;
        }

        @Override
        public void accept(Runnable stop) {
            set.add(cancellation.onCancel(stop));
        }

        void clear() {
            set.forEach(Cancellation.Registration::close);
            set.clear();
        }
    }

    private record Phases(
            Job run,
            StitchingSettings settings,
            FftProvider library,
            TileGrid tiles,
            Session session,
            PhaseTimes times,
            Stops stops) {
        Stitched stitch() throws IOException {
            Grid grid = new Grid(tiles.rows(), tiles.columns());
            int smallest = settings.traversal().smallestPool(grid.rows(), grid.columns());
            int pool = pool(smallest);
            Displacements displacements = displacements(grid, pool, smallest);
            stops.clear(); // else the transforms stay in memory while the mosaic is made
            times.end("displacements");
            Plate plate = positions(grid, displacements);
            times.end("positions");
            times.sinceBeginning("firstReadToPositions");
            run.cancellation().check();
            MosaicComposer mosaic = new MosaicComposer(session, tiles.tileWidth(), tiles.tileHeight(), plate.placed());
            write(mosaic);
            times.end("mosaic");
            writeTables(plate, displacements);
            times.end("tables");
            times.sinceBeginning("total");
            Summary summary = new Summary(
                    settings,
                    plate,
                    library.name(),
                    pool,
                    displacements.peakLive(),
                    times.seconds(),
                    mosaic.width(),
                    mosaic.height());
            return new Stitched(summary.report(run.output().folder().toString()), plate);
        }

        /**
         * The requested number of buffers, else the number that the traversal needs and one more per worker, so that
         * none waits for one.
         */
        private int pool(int smallest) {
            int wanted = settings.transforms() == StitchingSettings.AUTO
                    ? smallest + settings.workers()
                    : settings.transforms();
            return Math.min(wanted, tiles.tiles().size());
        }

        private Displacements displacements(Grid grid, int pool, int smallest) {
            run.progress().start("displacements", grid.pairs().size());
            int copies = Math.min(settings.workers(), tiles.tiles().size()); // each has its own plan and buffers
            return new DisplacementGraph(
                            tiles.tiles(),
                            grid,
                            pool,
                            smallest,
                            library,
                            settings.prior(tiles),
                            settings.peaks(),
                            copies)
                    .run(
                            session,
                            settings.traversal().order(grid.rows(), grid.columns()),
                            stops,
                            () -> run.progress().advance(1));
        }

        private Plate positions(Grid grid, Displacements displacements) {
            Refinement refinement = new Refiner(session, tiles, run)
                    .complete(
                            settings.optimise().refinement(grid, settings.prior(tiles), displacements.measurements()));
            return new Plate(tiles, refinement.verdicts(), settings.optimise().place(grid, refinement));
        }

        private void write(MosaicComposer mosaic) throws IOException {
            OutputFolder output = run.output();
            Preview preview = new Preview(mosaic.width(), mosaic.height());
            run.progress().start("mosaic", tiles.tiles().size());
            TileLoader loader = new TileLoader(tiles, session.workers());
            try (MosaicTiffWriter file =
                    MosaicTiffWriter.open(output.file("mosaic.tif"), mosaic.width(), mosaic.height())) {
                mosaic.compose(
                        (tile, worker) -> {
                            run.progress().advance(1);
                            return loader.load(tile, worker);
                        },
                        settings.blend(),
                        (samples, rows) -> {
                            file.writeRows(samples, rows);
                            preview.addRows(samples, rows);
                        },
                        stops);
            }
            preview.write(output.file("mosaic.png"));
        }

        private void writeTables(Plate plate, Displacements displacements) throws IOException {
            OutputFolder output = run.output();
            plate.writePositions(output.file("positions.csv"));
            plate.writeDisplacements(output.file("displacements.csv"));
            displacements.profile().writeSvg(output.file("profile.svg"));
            if (!run.isPart()) {
                try (Writer out = Files.newBufferedWriter(output.file("trace.json"))) {
                    new ChromeTrace(session.trace()).write("stitching", out);
                }
            }
        }
    }

    /** The seconds that each phase took. Confined to the thread that stitches. */
    private static final class PhaseTimes {
        private final Clock clock;
        private final Map<String, Double> seconds = new LinkedHashMap<>();
        private final long begin;
        private long phaseBegin;

        PhaseTimes(Clock clock) {
            this.clock = clock;
            this.begin = clock.nanoTime();
            this.phaseBegin = begin;
        }

        /** The phase that began with the last call, or at construction, is over. */
        void end(String phase) {
            long now = clock.nanoTime();
            seconds.put(phase, (now - phaseBegin) / 1e9);
            phaseBegin = now;
        }

        /** Keeps the time from the beginning to now under {@code name}. */
        void sinceBeginning(String name) {
            seconds.put(name, (clock.nanoTime() - begin) / 1e9);
        }

        Map<String, Double> seconds() {
            return seconds;
        }
    }
}
