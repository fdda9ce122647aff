/**
 * Where data is, and how it gets to where tasks run.
 *
 * <pre>
 *  Coherence ─┬─ Admission    gives leases their replicas, and takes them back
 *   the lock  │    ├─ Lease        what one task has: replicas that stay, and copies that it waits for
 *             │    ├─ Adders       tasks that add to the same, and must meet in one replica
 *             │    └─ Safekeeping  what a task updates that may be tried again
 *             ├─ Supply       brings replicas what they lack
 *             │    └─ Copy         a transfer, done by Mover on a Lane: a stream and who waits for it     Verification
 *             ├─ Store        all spaces and replicas, and how room is made
 *             │    └─ Space        a memory: its limit     HostSpace, DeviceSpace, DiskSpace
 *             │         └─ Residents    what it holds, and what goes next: as a CachePolicy says
 *             ├─ Destinations which device for which task
 *             │    └─ Prefetcher   Plan: what submitted tasks will need
 *             └─ Losses       devices out of service
 *                  └─ Recoveries   Recovery: what only they had is computed once more, by Lineage and RecoveryPlan, in ScratchRoom
 *
 *  Data ── Directory ─┬─ Atom      a part that no access has cut: its version, and who has it
 *                     ├─ Replica   memory for a part, in one space
 *                     └─ HomeWatch in checking mode: what the user's array held          (the first two in a BoxIndex)
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code memory.access},
 * {@code memory.cache}, {@code memory.data}, {@code memory.device}, {@code memory.device.link},
 * {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.memory.coherence;

import org.jspecify.annotations.NullMarked;
