/**
 * The resources of the machine and the part that this process uses, from the operating system's own files.
 *
 * <pre>
 *  Machine.Source (a library, found as a service)  \
 *  /sys, /proc (SystemFiles)                         MachineDraft --> Machine: tree of MachineObject, MachineDetails
 *  readers of files, devices (in modules above)    /
 *  ProcessLimits: affinity, control groups --> Machine.current() has the processors of this process only
 * </pre>
 *
 * <p>A further property is a {@code Property}; a further source is one class that implements {@code Machine.Source},
 * named as a service.
 *
 * <p>Imports: {@code base.service}.
 */
@NullMarked
package dev.jacquard.base.machine;

import org.jspecify.annotations.NullMarked;
