package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Refinement;
import dev.jacquard.apps.stitching.align.Refinement.Search;
import dev.jacquard.apps.stitching.align.Searcher;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Phase 2: runs the searches of each round of a refinement as tasks, which read their two tiles again. */
final class Refiner {
    private final Session session;
    private final TileLoader fromTiles;
    private final TileLoader toTiles;
    private final Job run;
    /** One per worker, each used by that worker's tasks only. */
    private final List<Searcher> searchers;

    Refiner(Session session, TileGrid tiles, Job run) {
        this.session = session;
        this.fromTiles = new TileLoader(tiles, session.workers());
        this.toTiles = new TileLoader(tiles, session.workers());
        this.run = run;
        this.searchers = Stream.generate(Searcher::new).limit(session.workers()).toList();
    }

    /** Brings {@code refinement} to its end. */
    Refinement complete(Refinement refinement) {
        Refinement round = refinement;
        while (!round.searches().isEmpty()) {
            round = round.next(searched(round.searches()));
        }
        return round;
    }

    private List<Measurement> searched(List<Search> searches) {
        run.progress().start("refining", searches.size());
        TaskGraph graph = session.graph("refine", FailurePolicy.STOP);
        try (Cancellation.Registration _ = run.cancellation().onCancel(graph::cancel)) {
            List<Task<Measurement>> results = new ArrayList<>();
            for (Search search : searches) {
                results.add(graph.task("search " + search.pair().from() + "-"
                                + search.pair().to())
                        .call(ctx -> searched(search, ctx)));
            }
            graph.await();
            return results.stream().map(Task::join).toList();
        }
    }

    private Measurement searched(Search search, TaskContext ctx) throws IOException {
        GrayImage from = fromTiles.load(search.pair().from(), ctx.worker());
        GrayImage to = toTiles.load(search.pair().to(), ctx.worker());
        Measurement found = searchers.get(ctx.worker()).run(search, from, to);
        run.progress().advance(1);
        return found;
    }
}
