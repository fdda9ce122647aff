/**
 * From parts and sockets to an order of execution: sinks find their sources, wires that close loops are set apart,
 * loops are found and nested.
 *
 * <pre>
 *  parts, wires of the file --> Mesher --> wires --> Digraph (no cycle) --> LoopNest --> Assembly --> Plan
 *                               (sinks to           of wires that          (which loop   ('within',
 *                                sources)            close no loop)         is in which)  Blocks)
 * </pre>
 *
 * <p>A plan is a tree: the block of the program holds parts and loops, the block of a loop the items that run in each
 * of its passes. Within a block a loop is one item, and waits for all that its parts wait for outside of it. Nothing
 * here runs a component, or reads a file.
 *
 * <p>Imports: {@code base.text}, {@code components.component}.
 */
@NullMarked
package dev.jacquard.components.mesh;

import org.jspecify.annotations.NullMarked;
