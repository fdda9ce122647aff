// Each point of a block of n x n becomes the mean of its four neighbours in a block with a halo of one. One work item per point.
kernel void mean(int n, global const double* from, global double* to, long items) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        global const double* above = from + i * (n + 2) + j + 1;
        global const double* beside = above + n + 1;
        to[i * n + j] = (above[0] + beside[0] + beside[2] + above[2 * (n + 2)]) / 4;
    }
}
