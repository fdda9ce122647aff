// What the loop of tasks does: each item folds all that the task reads, and writes one element. Numbers wrap, as in Java.

ulong fold(global const ulong* read, ulong n, ulong start) {
    ulong fold = start;
    for (ulong i = 0; i < n; i++) {
        fold = fold * 31 + read[i];
    }
    return fold;
}

void mix(global ulong* written, ulong n, ulong number, int flags, ulong folded) {
    ulong i = get_global_id(0);
    if (i < n) {
        written[i] = ((flags & 1) != 0 ? written[i] * 31 : 0) + folded * 7 + number + i * 1000003;
    }
}

kernel void mix0(ulong number, int flags, global ulong* written, ulong n) {
    mix(written, n, number, flags, 0);
}

kernel void mix1(ulong number, int flags, global const ulong* a, global ulong* written, ulong na, ulong n) {
    mix(written, n, number, flags, fold(a, na, 0));
}

kernel void mix2(ulong number, int flags, global const ulong* a, global const ulong* b, global ulong* written, ulong na, ulong nb, ulong n) {
    mix(written, n, number, flags, fold(b, nb, fold(a, na, 0)));
}

kernel void mix3(ulong number, int flags, global const ulong* a, global const ulong* b, global const ulong* c, global ulong* written, ulong na, ulong nb, ulong nc, ulong n) {
    mix(written, n, number, flags, fold(c, nc, fold(b, nb, fold(a, na, 0))));
}
