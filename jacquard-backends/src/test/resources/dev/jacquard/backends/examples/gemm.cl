// c += a b for blocks of side x side elements, row by row. One work item per element of c; those beyond do nothing.
kernel void gemm(int side, global const double* a, global const double* b, global double* c, long items) {
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (row < side && column < side) {
        double sum = c[row * side + column];
        for (int k = 0; k < side; k++) {
            sum += a[row * side + k] * b[k * side + column];
        }
        c[row * side + column] = sum;
    }
}
