package dev.jacquard.components.run;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.ComposedProgram.Begin;
import dev.jacquard.components.run.ComposedProgram.Ended;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.core.session.Session;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run of a program as one of several ranks. */
final class RankRun {
    private final ComposedProgram program;
    private final Plan plan;
    private final Communicator world;
    private final boolean sharesOutput;

    /**
     * A run on this rank.
     *
     * @param world the communicator of all ranks
     * @param sharesOutput true if all ranks write into one output folder, as they do inside a process
     */
    RankRun(ComposedProgram program, Communicator world, boolean sharesOutput) {
        this.program = program;
        this.plan = program.plan();
        this.world = world;
        this.sharesOutput = sharesOutput;
    }

    /**
     * Runs it in a session of this rank. Collective.
     *
     * @param parts asks the parts to stop
     * @return null on ranks that do not report
     */
    @Nullable
    Report run(Surroundings its, Session session, Cancellation parts) throws Exception {
        Saving saving = program.saving();
        ProgramState state = new ProgramState(plan, program.parts(), session);
        try (RankCheckpoint checkpoint = saving == null ? null : checkpoint(saving, its.output())) {
            RankBegin begin = RankBegin.agree(world, () -> decide(checkpoint, state, its.resumes()));
            if (checkpoint != null) {
                checkpoint.number(begin.resumed(), begin.first());
            }
            return run(its, session, parts, checkpoint, state, begin.placement());
        }
    }

    private RankCheckpoint checkpoint(Saving saving, OutputFolder output) {
        return new RankCheckpoint(program.checkpointFile(saving, output), output, world.rank(), sharesOutput);
    }

    /** Rank 0: decides where the run begins, and which rank executes which part. */
    private RankBegin decide(@Nullable RankCheckpoint checkpoint, ProgramState state, boolean resumes) {
        Placement computed = program.placed();
        List<Integer> placement = computed == null ? List.of() : computed.table();
        if (checkpoint == null) {
            return new RankBegin(0, 0, placement);
        }
        checkpoint.requirePlace();
        if (!resumes) {
            return new RankBegin(0, checkpoint.nextNumber(), placement);
        }
        RankManifest manifest = checkpoint.manifest(program.mode(), world.size(), state);
        return new RankBegin(manifest.savepoint(), checkpoint.nextNumber(), manifest.placement());
    }

    private @Nullable Report run(
            Surroundings its,
            Session session,
            Cancellation parts,
            @Nullable RankCheckpoint checkpoint,
            ProgramState state,
            List<Integer> table)
            throws Exception {
        Passes passes = program.passes(its, session);
        TopState top = new TopState(plan);
        Saving saving = program.saving();
        Placement placement = table.isEmpty() ? null : Placement.ofTable(plan, program.parts(), world.size(), table);
        RankSavepoints agreement =
                saving == null || placement == null ? null : new RankSavepoints(plan, passes, top, saving.every());
        try (Stops stops = new Stops(session.executor(), passes, its.cancellation(), parts);
                RankScope scope = scope(placement, agreement);
                Communicator comm = saving == null ? null : world.duplicate("checkpoint");
                RankControl control = new RankControl(world, session.executor(), stops, agreement)) {
            world.barrier();
            long origin = session.clock().nanoTime(); // as nearly as can be the same time on all ranks
            Begin begin = opened -> {
                if (saving == null || checkpoint == null || comm == null) {
                    return null;
                }
                RankSaving ranks = new RankSaving(comm, checkpoint, state, program.mode(), table, agreement);
                ResumePoint resumed = ranks.restore(stops, plan, top, opened, passes);
                return new Savepoints(
                        () -> ranks.save(top, opened, passes),
                        ranks,
                        session.graph(),
                        plan,
                        passes,
                        top,
                        saving.every(),
                        resumed);
            };
            Ended ended = execute(its, session, passes, stops, scope, control, begin);
            if (ended.traces() != null) {
                RankTraces.write(world, ended.traces().events(program.name(), world.rank(), origin), its);
            }
            if (!scope.isFirst()) {
                return null;
            }
            if (checkpoint != null) {
                its.output().whenCommitted(checkpoint::delete);
            }
            return program.report(ended, its, placement);
        }
    }

    private RankScope scope(@Nullable Placement placement, @Nullable RankSavepoints agreement)
            throws InterruptedException {
        return placement == null
                ? RankScope.ofData(world)
                : RankScope.ofTasks(world, placement, new RemoteWires(plan, placement), agreement);
    }

    /** Executes the parts; rank 0 gets the findings of all ranks. */
    private Ended execute(
            Surroundings its,
            Session session,
            Passes passes,
            Stops stops,
            RankScope scope,
            RankControl control,
            Begin begin)
            throws Exception {
        Ended ended = null;
        Throwable failure = null;
        try {
            ended = program.execute(its.withoutTrace(), session, passes, stops, scope, begin);
        } catch (Exception | Error e) {
            failure = e;
            control.tellOthers();
        }
        control.agree(failure);
        scope.reportUnreceived();
        Ended here = Objects.requireNonNull(ended);
        RankLinks links = scope.links();
        if (links != null) {
            RankResults.gather(world, here.opened(), here.passes(), plan.loops(), links);
        }
        return here;
    }
}
