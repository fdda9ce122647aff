/**
 * Where data is, and how it gets to where tasks run.
 *
 * <pre>
 *  Coherence ─┬─ Lease    what one task has: replicas that stay, and copies that it waits for
 *             ├─ Store    all spaces and replicas, and how room is made
 *             │    └─ Space    a memory: its limit     HostSpace, DeviceSpace, DiskSpace
 *             │         └─ Residents    what it holds, and what goes next: as a CachePolicy says
 *             ├─ Destinations    which device for which task
 *             ├─ Adders   tasks that add to the same, and must meet in one replica
 *             └─ Copy     a transfer, done by Mover on a Lane: a stream and who waits for it
 *
 *  Data ── Directory ─┬─ Atom      a part that no access has cut: its version, and who has it
 *                     ├─ Replica   memory for a part, in one space
 *                     └─ HomeWatch in checking mode: what the user's array held          (both in a BoxIndex)
 * </pre>
 */
@NullMarked
package dev.jacquard.core.coherence;

import org.jspecify.annotations.NullMarked;
