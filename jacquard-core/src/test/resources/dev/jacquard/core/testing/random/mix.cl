// The work of random programs in one work item: folds what is read, then writes. An operand comes as memory, kind + 8 * type, and length.
// Kinds: 0 reads, 1 writes, 2 overwrites, 3 adds. Types: 0 long, 1 int, 2 double. Numbers wrap, as in Java.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

ulong scatter(ulong bits) {
    ulong z = bits + 0x9E3779B97F4A7C15UL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
    return z ^ (z >> 31);
}

ulong value(ulong bits) {
    return scatter(bits) & 0xFFFFFFFFFFUL;
}

ulong get(global char* a, int code, long i) {
    int type = code >> 3;
    return type == 0 ? ((global ulong*) a)[i] : type == 1 ? (ulong) (long) ((global int*) a)[i] : (ulong) (long) ((global double*) a)[i];
}

void set(global char* a, int code, long i, ulong v) {
    int type = code >> 3;
    if (type == 0) {
        ((global ulong*) a)[i] = v;
    } else if (type == 1) {
        ((global int*) a)[i] = (int) v;
    } else {
        ((global double*) a)[i] = (double) (long) v;
    }
}

ulong fold(global char* a, int code, long n, ulong start) {
    ulong fold = start;
    for (long i = 0; (code & 7) < 2 && i < n; i++) {
        fold = scatter(fold ^ get(a, code, i));
    }
    return fold;
}

void work(global char* a, int code, long n, ulong number, ulong fold, ulong position) {
    int kind = code & 7;
    for (long i = 0; i < n; i++) {
        if (kind == 1 || kind == 2) {
            set(a, code, i, value(fold + position + i));
        } else if (kind == 3) {
            set(a, code, i, get(a, code, i) + value(number + position + i));
        }
    }
}

kernel void mix1(ulong number, global char* a, int ca, long na) {
    ulong f = fold(a, ca, na, scatter(number));
    work(a, ca, na, number, f, 1000);
}

kernel void mix2(ulong number, global char* a, int ca, long na, global char* b, int cb, long nb) {
    ulong f = fold(b, cb, nb, fold(a, ca, na, scatter(number)));
    work(a, ca, na, number, f, 1000);
    work(b, cb, nb, number, f, 2000);
}

kernel void mix3(ulong number, global char* a, int ca, long na, global char* b, int cb, long nb, global char* c, int cc, long nc) {
    ulong f = fold(c, cc, nc, fold(b, cb, nb, fold(a, ca, na, scatter(number))));
    work(a, ca, na, number, f, 1000);
    work(b, cb, nb, number, f, 2000);
    work(c, cc, nc, number, f, 3000);
}
