// The work of random programs in one thread: folds what is read, then writes. An operand comes as memory, kind + 8 * type, and length.
// Kinds: 0 reads, 1 writes, 2 overwrites, 3 adds. Types: 0 long, 1 int, 2 double. Numbers wrap, as in Java.
typedef unsigned long long u64;

static __device__ u64 scatter(u64 bits) {
    u64 z = bits + 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static __device__ u64 value(u64 bits) {
    return scatter(bits) & 0xFFFFFFFFFFULL;
}

static __device__ u64 get(const char* a, int code, long long i) {
    int type = code >> 3;
    return type == 0 ? ((const u64*) a)[i] : type == 1 ? (u64) (long long) ((const int*) a)[i] : (u64) (long long) ((const double*) a)[i];
}

static __device__ void set(char* a, int code, long long i, u64 v) {
    int type = code >> 3;
    if (type == 0) {
        ((u64*) a)[i] = v;
    } else if (type == 1) {
        ((int*) a)[i] = (int) v;
    } else {
        ((double*) a)[i] = (double) (long long) v;
    }
}

static __device__ u64 fold(const char* a, int code, long long n, u64 start) {
    u64 fold = start;
    for (long long i = 0; (code & 7) < 2 && i < n; i++) {
        fold = scatter(fold ^ get(a, code, i));
    }
    return fold;
}

static __device__ void work(char* a, int code, long long n, u64 number, u64 fold, u64 position) {
    int kind = code & 7;
    for (long long i = 0; i < n; i++) {
        if (kind == 1 || kind == 2) {
            set(a, code, i, value(fold + position + i));
        } else if (kind == 3) {
            set(a, code, i, get(a, code, i) + value(number + position + i));
        }
    }
}

extern "C" __global__ void mix1(u64 number, char* a, int ca, long long na) {
    u64 f = fold(a, ca, na, scatter(number));
    work(a, ca, na, number, f, 1000);
}

extern "C" __global__ void mix2(u64 number, char* a, int ca, long long na, char* b, int cb, long long nb) {
    u64 f = fold(b, cb, nb, fold(a, ca, na, scatter(number)));
    work(a, ca, na, number, f, 1000);
    work(b, cb, nb, number, f, 2000);
}

extern "C" __global__ void mix3(u64 number, char* a, int ca, long long na, char* b, int cb, long long nb, char* c, int cc, long long nc) {
    u64 f = fold(c, cc, nc, fold(b, cb, nb, fold(a, ca, na, scatter(number))));
    work(a, ca, na, number, f, 1000);
    work(b, cb, nb, number, f, 2000);
    work(c, cc, nc, number, f, 3000);
}
