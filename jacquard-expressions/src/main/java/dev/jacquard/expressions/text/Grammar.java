package dev.jacquard.expressions.text;

import dev.jacquard.expressions.text.Operand.Quantity;
import dev.jacquard.expressions.text.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Reads an expression from its first token to the last:
 *
 * <pre>
 *  comparison  sum [("&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "==" | "!=") sum]
 *  sum         product (("+" | "-") product)*
 *  product     signed (("*" | "/") signed)*
 *  signed      ("+" | "-") signed | power
 *  power       primary ["^" signed]
 *  primary     number | name | name "(" comparison ("," comparison)* ")" | "(" comparison ")"
 * </pre>
 *
 * <p>Confined to one thread.
 */
final class Grammar {
    /** The brackets, signs and powers within each other that a text may have. */
    private static final int MOST_NESTED = 200;

    private final List<Token> tokens;
    private final Scope scope;
    private final FieldOperators operators;
    private int at;
    private int nested;
    /** True if an operator takes what is read now. */
    private boolean isWithin;

    Grammar(List<Token> tokens, Scope scope) {
        this.tokens = tokens;
        this.scope = scope;
        this.operators = new FieldOperators(scope.dimensions());
    }

    /** Reads all tokens. */
    Quantity expression() {
        if (peek().kind() == Kind.END) {
            throw peek().wrong("the expression is empty");
        }
        requireBalance();
        Operand all = comparison();
        if (peek().is(")")) {
            throw peek().wrong("this ')' closes no '('");
        }
        if (peek().kind() != Kind.END) {
            throw unexpected();
        }
        return all.quantity();
    }

    /** A bracket that is missing comes first: it makes other things look wrong that are not. */
    private void requireBalance() {
        Deque<Token> open = new ArrayDeque<>();
        for (Token token : tokens) {
            if (token.is("(")) {
                open.push(token);
            } else if (token.is(")") && open.poll() == null) {
                throw token.wrong("this ')' closes no '('");
            }
        }
        if (!open.isEmpty() && open.size() <= MOST_NESTED) {
            throw open.pop().wrong("this '(' is not closed");
        }
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token next() {
        return tokens.get(at++);
    }

    private boolean isNext(String... symbols) {
        for (String symbol : symbols) {
            if (peek().is(symbol)) {
                return true;
            }
        }
        return false;
    }

    private ExpressionParser.TextException unexpected() {
        Token found = peek();
        return found.wrong(
                found.kind() == Kind.SYMBOL
                        ? found + " does not belong here"
                        : "an operator such as * is missing before " + found);
    }

    private Operand comparison() {
        Operand left = sum();
        if (!isNext("<", "<=", ">", ">=", "==", "!=")) {
            return left;
        }
        Token sign = next();
        Operand compared = PointFunctions.compare(sign, left.quantity(), sum().quantity());
        if (isNext("<", "<=", ">", ">=", "==", "!=")) {
            throw peek().wrong("a comparison has two sides; where(0 < x, where(x < 1, yes, no), no) joins two of them");
        }
        return compared;
    }

    private Operand sum() {
        Operand left = product();
        while (isNext("+", "-")) {
            Token sign = next();
            left = PointFunctions.two(
                    sign, left.start(), left.quantity(), product().quantity());
        }
        return left;
    }

    private Operand product() {
        Operand left = signed();
        while (isNext("*", "/")) {
            Token sign = next();
            left = PointFunctions.two(sign, left.start(), left.quantity(), signed().quantity());
        }
        return left;
    }

    private Operand signed() {
        enter();
        Operand read = isNext("+", "-") ? sign(next()) : power();
        nested--;
        return read;
    }

    private void enter() {
        if (++nested > MOST_NESTED) {
            throw peek().wrong("more than " + MOST_NESTED + " brackets, signs and powers lie within each other here");
        }
    }

    private Operand sign(Token sign) {
        boolean isNumber = peek().kind() == Kind.NUMBER && !tokens.get(at + 1).is("^");
        if (isNumber && sign.is("-")) {
            return PointFunctions.number(-next().number(), sign);
        }
        Quantity of = signed().quantity();
        return sign.is("+")
                ? new Quantity(of.centre(), sign, of.expression(), of.function(), of.isNumber())
                : PointFunctions.one(sign.text(), sign, of);
    }

    private Operand power() {
        Operand base = primary();
        if (!isNext("^")) {
            return base;
        }
        Token sign = next();
        return PointFunctions.two(sign, base.start(), base.quantity(), signed().quantity());
    }

    private Operand primary() {
        Token first = peek();
        switch (first.kind()) {
            case NUMBER -> {
                return PointFunctions.number(next().number(), first);
            }
            case NAME -> {
                next();
                return isNext("(") ? call(first) : scope.value(first, isWithin);
            }
            case SYMBOL -> {
                if (first.is("(")) {
                    next();
                    Operand within = comparison();
                    close(first);
                    return within;
                }
            }
            case QUOTED -> throw first.wrong("only stencil(field, " + first + ") takes a quoted text");
            case END -> {}
        }
        throw missing(first);
    }

    private ExpressionParser.TextException missing(Token found) {
        if (at == 0 && found.is(")")) {
            return found.wrong("this ')' closes no '('");
        }
        if (at == 0 || (found.kind() == Kind.SYMBOL && !found.is(")") && !found.is(","))) {
            return found.wrong("a value is missing before " + found);
        }
        return found.wrong("a value is missing after " + tokens.get(at - 1));
    }

    private void close(Token open) {
        if (isNext(")")) {
            next();
        } else if (peek().kind() == Kind.END) {
            throw open.wrong("this '(' is not closed");
        } else {
            throw unexpected();
        }
    }

    // ---- functions and operators

    private Operand call(Token name) {
        Token open = next();
        int count = count(name);
        boolean around = isWithin;
        isWithin |= FieldOperators.has(name.text()) || name.text().equals(FieldOperators.STENCIL);
        List<Operand> arguments = new ArrayList<>();
        if (!isNext(")")) {
            arguments.add(comparison());
            while (isNext(",")) {
                next();
                if (name.text().equals(FieldOperators.STENCIL) && arguments.size() == 1) {
                    isWithin = around;
                    return stencil(name, open, arguments.getFirst().quantity());
                }
                arguments.add(comparison());
            }
        }
        close(open);
        isWithin = around;
        if (arguments.size() != count) {
            throw name.wrong(
                    name + " takes " + count + (count == 1 ? " value" : " values") + ", not " + arguments.size());
        }
        Quantity last = arguments.getLast().quantity();
        return switch (count) {
            case 1 ->
                FieldOperators.has(name.text())
                        ? operators.apply(name, last)
                        : PointFunctions.one(name.text(), name, last);
            case 2 -> PointFunctions.two(name, name, arguments.getFirst().quantity(), last);
            default ->
                PointFunctions.where(
                        name, arguments.getFirst().truth(), arguments.get(1).quantity(), last);
        };
    }

    /** Returns the number of values that a function takes. */
    private int count(Token name) {
        if (!Scope.isCalled(name.text())) {
            throw scope.notCalled(name);
        }
        return switch (name.text()) {
            case PointFunctions.WHERE -> 3;
            case FieldOperators.STENCIL -> 2;
            default -> FieldOperators.has(name.text()) ? 1 : PointFunctions.arguments(name.text());
        };
    }

    private Operand stencil(Token name, Token open, Quantity of) {
        Token points = peek();
        if (points.kind() != Kind.QUOTED) {
            throw points.wrong(
                    "stencil takes its points as a quoted text, such as \"" + operators.stencilExample() + '"');
        }
        next();
        close(open);
        return operators.stencil(name, of, points);
    }
}
