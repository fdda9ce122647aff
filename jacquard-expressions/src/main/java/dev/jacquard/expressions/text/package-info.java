/**
 * Expressions as text, as users write them in files: {@code -div(u*faces(c)) + div(kappa*grad(c)) - lambda*c}.
 *
 * <pre>
 *  text, with its place in a file --> Lexer --> tokens --> Grammar --> Operands: values with their centring --> Expr
 *                                                             |
 *                                          Scope: fields, parameters, x y z t pi, functions, operators
 * </pre>
 *
 * <p>There is no tree of the syntax: the grammar joins operands as it reads them, so that a sum may have any length.
 *
 * <p>To add a function: a line in {@code PointFunctions}; an operator between centrings: one in {@code FieldOperators}.
 *
 * <p>Imports: {@code base.text}, {@code expressions.field}, {@code expressions.language}.
 */
@NullMarked
package dev.jacquard.expressions.text;

import org.jspecify.annotations.NullMarked;
