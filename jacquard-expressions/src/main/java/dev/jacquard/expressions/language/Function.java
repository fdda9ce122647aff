package dev.jacquard.expressions.language;

/** The operations of the language that take values at one point and give a value there. */
enum Function {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    NEGATE,
    ABS,
    SQRT,
    MIN,
    MAX,
    EXP,
    LOG,
    POW,
    SIN,
    COS,
    TANH,
    LESS,
    AT_MOST,
    EQUAL,
    AND,
    OR,
    NOT,
    WHERE
}
