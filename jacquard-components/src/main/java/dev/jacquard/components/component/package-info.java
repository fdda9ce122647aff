/**
 * The contract of components, the parts of programs that are put together in files.
 *
 * <pre>
 *  Component --settings, sockets, modes--> a program is meshed and checked
 *      | open(ComponentContext)                 Sink --input()--> Input     values of other components
 *      v                                        Source --output()--> Output values for others
 *  Instance: execute, execute, ..., close
 * </pre>
 *
 * <p>An {@link Application} is a component that can run alone, in one {@link Job}. To add either: one class, named as a
 * service under {@code dev.jacquard.components.component.Component}.
 *
 * <p>Imports: {@code cluster.communicator}, {@code components.program}, {@code core.session}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.components.component;

import org.jspecify.annotations.NullMarked;
