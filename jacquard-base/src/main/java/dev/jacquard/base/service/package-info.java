/**
 * Services: classes that other jars offer for one of our interfaces.
 *
 * <pre>
 *  context class loader of the thread --+
 *  class loader of the interface -------+--ServiceLoader--> providers, each class once
 * </pre>
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.service;

import org.jspecify.annotations.NullMarked;
