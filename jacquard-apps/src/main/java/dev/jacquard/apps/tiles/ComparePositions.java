package dev.jacquard.apps.tiles;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;

/** The component {@code compare-positions}: how far tiles were found from where they are. */
public final class ComparePositions implements Component {
    private static final Setting<Double> LIMIT = Setting.optional(
            "limit",
            Setting.Type.number(0, Double.POSITIVE_INFINITY),
            "Infinity",
            "the pixels that a tile may be off; the program fails if one is farther");
    private static final Sink<List<TilePosition>> POSITIONS =
            Sink.of("positions", TilePosition.LIST, "Where the tiles were found.");
    private static final Sink<List<TilePosition>> TRUTH =
            Sink.of("truth", TilePosition.LIST, "Where they are; the origin may be another.");
    private static final Source<Double> FARTHEST = Source.of(
            "farthest", SocketType.of(Double.class), "The distance of the tile that is farthest off, in pixels.");

    /** Made by the service loader. */
    public ComparePositions() {}

    @Override
    public String name() {
        return "compare-positions";
    }

    @Override
    public String description() {
        return "compares the positions of tiles with the true ones";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(LIMIT);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(POSITIONS, TRUTH, FARTHEST);
    }

    @Override
    public boolean neverWaits() {
        return true;
    }

    @Override
    public Instance open(ComponentContext context) {
        double limit = context.settings().get(LIMIT);
        Input<List<TilePosition>> positions = context.input(POSITIONS);
        Input<List<TilePosition>> truth = context.input(TRUTH);
        Output<Double> farthest = context.output(FARTHEST);
        return () -> {
            Comparison found = Comparison.of(positions.get(), truth.get(), limit);
            context.report(found.report());
            farthest.set(found.farthest());
            return true;
        };
    }
}
