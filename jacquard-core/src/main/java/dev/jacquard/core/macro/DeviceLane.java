package dev.jacquard.core.macro;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelFailedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a device and the thread that waits for it: takes items, has them copied in, computed and copied out.
 *
 * <p>A batch that fails is done again item by item, so that the failure names its item: the memory of the host changes
 * only after an item has ended well. When the device itself fails, the lane gives its items back and ends.
 *
 * <p>Threads: one of the session's background.
 */
final class DeviceLane<T> implements Runnable {
    private final DeviceItems<T> device;
    private final MacroRun<T> run;
    private final StreamMemory memory;
    /** The number of items of the present range that are done. */
    private int well;
    /** The items of the present range that are not over. */
    private final Set<Integer> mine = new LinkedHashSet<>();

    DeviceLane(DeviceItems<T> device) {
        this.device = device;
        this.run = device.run();
        this.memory = new StreamMemory(run, device);
    }

    @Override
    public void run() {
        Throwable error = null;
        try (memory) {
            boolean more = true;
            while (more && !run.isStopped()) {
                more = next();
            }
        } catch (Throwable e) {
            error = e;
        }
        run.laneOver(device.side().place(), error);
    }

    /** Does the next items; returns false if there were none. Throws if the device failed. */
    private boolean next() throws Exception {
        Side side = device.side();
        long began = side.begin();
        long range = run.take(side, run.macro().pipelineDriver().batch());
        int count = range == ItemSplit.NONE ? 0 : ItemSplit.count(range);
        well = 0;
        mine.clear();
        for (int i = 0; i < count; i++) {
            mine.add(ItemSplit.first(range) + i);
        }
        try {
            all(calls(ItemSplit.first(range), count));
        } finally {
            mine.forEach(run::giveBack);
            int over = count - mine.size();
            side.end(over, well, began);
            run.ended(over);
        }
        return count > 0;
    }

    private List<ItemCall> calls(int first, int count) {
        List<ItemCall> calls = new ArrayList<>(count);
        for (int index = first; index < first + count; index++) {
            if (run.isStopped()) {
                skip(index);
                continue;
            }
            try {
                calls.add(run.macro()
                        .items()
                        .call(index, run.context().name(), device.side().place()));
            } catch (RuntimeException | Error e) { // from users' code, or arguments that do not fit
                fail(index, e);
            }
        }
        return calls;
    }

    private void all(List<ItemCall> calls) throws Exception {
        int from = 0;
        while (from < calls.size()) {
            int to = from + 1;
            while (to < calls.size() && calls.get(from).joins(calls.get(to))) {
                to++;
            }
            batch(calls.subList(from, to));
            from = to;
        }
    }

    private void batch(List<ItemCall> batch) throws Exception {
        Throwable error = attempt(batch);
        if (error == null || batch.size() == 1) {
            return;
        }
        for (ItemCall one : batch) {
            if (run.isStopped()) {
                skip(one.index());
            } else {
                Throwable _ = attempt(List.of(one));
            }
        }
    }

    /**
     * Does items in one launch.
     *
     * @return null if they are over, of which a single one may have failed; else the failure of one of several
     */
    private @Nullable Throwable attempt(List<ItemCall> batch) throws Exception {
        if (run.isStopped()) {
            batch.forEach(one -> skip(one.index()));
            return null;
        }
        try {
            memory.run(batch);
            well += batch.size();
            batch.forEach(one -> mine.remove(one.index()));
            return null;
        } catch (Throwable e) {
            if (isTheDevices(e)) {
                throw e;
            }
            memory.renew();
            if (batch.size() > 1) {
                return e;
            }
            fail(batch.getFirst().index(), e instanceof KernelFailedException kernel ? kernel.thrown() : e);
            return null;
        }
    }

    private void fail(int index, Throwable cause) {
        mine.remove(index);
        run.failed(index, device.side().place().name(), cause);
    }

    private void skip(int index) {
        mine.remove(index);
        run.skipped();
    }

    private static boolean isTheDevices(Throwable error) {
        return error instanceof InterruptedException
                || (error instanceof DeviceException
                        && !(error instanceof KernelCompilationException)
                        && !(error instanceof KernelFailedException));
    }
}
