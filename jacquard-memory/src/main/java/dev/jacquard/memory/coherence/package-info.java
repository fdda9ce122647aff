/**
 * Where data is, and how it gets to where tasks run.
 *
 * <pre>
 *  Coherence ─┬─ Admission    gives claims their replicas, and takes them back
 *   the lock  │    ├─ ReplicaClaim    what one task has: replicas that stay, and transfers that it waits for
 *             │    ├─ Adders          tasks that add to the same, and must meet in one replica
 *             │    └─ RetrySnapshot   what a task updates that may be tried again
 *             ├─ Fetcher      brings replicas what they lack
 *             │    └─ Transfer        done by Mover on a TransferQueue: a stream, and who waits for it; Verification
 *             ├─ Store        all spaces and replicas, and how room is made
 *             │    └─ Space           a memory: its limit; HostSpace, DeviceSpace, DiskSpace
 *             │         └─ EvictionSet    what it holds, and what goes next: as a CachePolicy says
 *             ├─ EarliestFinish  which device for which task
 *             │    └─ Prefetcher      AccessPlan: what submitted tasks will need
 *             └─ LostDevices  devices out of service
 *                  └─ RecomputationQueue   Recovery: what only they had is computed once more, by Lineage and
 *                                          RecomputationPlan, in ScratchAllocator
 *
 *  Data ── Directory ─┬─ Atom           a part that no access has cut: its version, and who has it
 *                     ├─ Replica        memory for a part, in one space (both in a BoxIndex)
 *                     └─ HomeChecksum   in checking mode: what the user's array held
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code memory.access},
 * {@code memory.cache}, {@code memory.data}, {@code memory.device}, {@code memory.device.link},
 * {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.memory.coherence;

import org.jspecify.annotations.NullMarked;
