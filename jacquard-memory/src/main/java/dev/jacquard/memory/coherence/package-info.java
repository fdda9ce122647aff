/**
 * Keeps track of where data is, and brings it to where tasks run.
 *
 * <pre>
 *  Coherence ─┬─ ReplicaClaims, Launches, TransferRunner    begin and end claims, launch kernels early, start transfers
 *   the lock  ├─ RestingClaims  claims kept from one run of a graph to the next
 *             ├─ Admission    gives claims their replicas; Commits takes them back
 *             │    ├─ ReplicaClaim    the data of one task: replicas that stay, and transfers that it waits for
 *             │    ├─ Adders          tasks that add to the same part, and must meet in one replica
 *             │    ├─ Overtaking      claims that go on before claims without room; IdleQuestion, NoRoom
 *             │    └─ RetrySnapshot   copies of the data that a task updates and may have to update again
 *             ├─ Fetcher      brings missing data to replicas
 *             │    └─ Transfer        one copy, along the TransferPath between two spaces; Verification
 *             ├─ Store        all spaces and replicas; Eviction makes room
 *             │    └─ Space           a memory and its account; HostSpace, DeviceSpace, DiskSpace
 *             │         ├─ TransferPath   how bytes get to another space: at once, or in a TransferQueue of a device
 *             │         └─ EvictionSet    the replicas in it, and which goes next, as a CachePolicy says
 *             ├─ Forecast     when data would be where: the questions of placements
 *             │    └─ Prefetcher      AccessPlan: the data that submitted tasks will need
 *             └─ LostDevices  devices out of service
 *                  └─ RecomputationQueue   Recovery: computes lost data again, by Lineage and
 *                                          RecomputationPlan, in ScratchAllocator
 *
 *  Data ── Directory ─┬─ Atom           a part that no access has cut: its version, and the replicas that have it
 *                     ├─ Replica        memory for a part, in one space (both in a BoxIndex)
 *                     └─ HomeChecksum   in checking mode: the contents of the user's array
 * </pre>
 *
 * <p>A new kind of memory is one class that extends {@code Space}, and the line in {@code Store} that makes it: a space
 * says by methods how bytes get there, whether a device runs tasks there, and which checks its paths make.
 * {@code OtherSpaceTest} adds one.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code base.trace},
 * {@code engine.model}, {@code memory.access}, {@code memory.cache}, {@code memory.data}, {@code memory.device},
 * {@code memory.device.link}, {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.memory.coherence;

import org.jspecify.annotations.NullMarked;
