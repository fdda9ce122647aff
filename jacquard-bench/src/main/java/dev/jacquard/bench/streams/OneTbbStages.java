package dev.jacquard.bench.streams;

import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Workload.Contender;
import java.io.IOException;
import java.util.Map;

/** Three function nodes of oneTBB, each of which takes one item at a time, with edges that have no bound. */
final class OneTbbStages extends Contender {
    private final int items;
    private final Program program;

    OneTbbStages(int workers, int items) throws IOException {
        super(OneTbb.SYSTEM, workers);
        this.items = items;
        this.program = OneTbb.start("stages", workers, items);
    }

    @Override
    public Map<String, Double> round() throws IOException {
        return Map.of(MAIN, Long.parseLong(program.ask("round", "[0-9]+")) / (double) items / Pipeline.STAGES);
    }

    @Override
    public boolean warmsUp() {
        return false;
    }

    @Override
    public void close() throws IOException {
        program.close();
    }
}
