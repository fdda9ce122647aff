// Each point of a block becomes the mean of its four neighbours in a block with a halo of one. One work item per point.
kernel void mean(
        global const double* from, long fromRows, long fromColumns, global double* to, long rows, long columns) {
    long j = get_global_id(0);
    long i = get_global_id(1);
    if (i < rows && j < columns) {
        global const double* above = from + i * fromColumns + j + 1;
        global const double* beside = above + fromColumns - 1;
        to[i * columns + j] = (above[0] + beside[0] + beside[2] + above[2 * fromColumns]) / 4;
    }
}
