// c += a b, row by row. One work item per element of c; those beyond do nothing.
kernel void gemm(global const double* a, long aRows, long inner, global const double* b, long bRows, long bColumns,
        global double* c, long rows, long columns) {
    long column = get_global_id(0);
    long row = get_global_id(1);
    if (row < rows && column < columns) {
        double sum = c[row * columns + column];
        for (long k = 0; k < inner; k++) {
            sum += a[row * inner + k] * b[k * columns + column];
        }
        c[row * columns + column] = sum;
    }
}
