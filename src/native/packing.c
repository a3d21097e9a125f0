#include "packing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TURNS_PER_RADIAN 0.15915494309189535

static void *zeros(size_t n, size_t m, size_t size) {
    if (n && m > (SIZE_MAX - 64) / size / n)
        return NULL;
    size_t bytes = (n * m * size + 64) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static double element(struct doubles values, size_t i, size_t j) {
    double value;
    memcpy(&value, values.data + (ptrdiff_t)i * values.stride + (ptrdiff_t)j * values.inner_stride, sizeof value);
    return value;
}

static void put(void *to, int is_wide, size_t place, double value) {
    if (is_wide)
        ((double *)to)[place] = value;
    else
        ((float *)to)[place] = (float)value;
}

struct packed *pack(size_t width, size_t n_frequencies, size_t n_columns, int is_wide, struct doubles frequencies,
                    struct doubles start, size_t n_coefficients, struct doubles coefficients) {
    struct packed *packed = calloc(1, sizeof *packed);
    if (!packed)
        return NULL;
    size_t n_blocks = (n_frequencies + width - 1) / width, size = is_wide ? sizeof(double) : sizeof(float);
    *packed = (struct packed){.n_frequencies = n_frequencies,
                              .n_columns = n_columns,
                              .n_blocks = n_blocks,
                              .width = width,
                              .is_wide = is_wide,
                              .n_coefficients = n_coefficients,
                              .turns = zeros(n_blocks * width, n_columns, size),
                              .start = zeros(n_blocks, width, size),
                              .coefficients = zeros(n_coefficients, n_blocks * width, sizeof(float))};
    if (!packed->turns || !packed->start || !packed->coefficients) {
        free_packed(packed);
        return NULL;
    }
    for (size_t k = 0; k < n_frequencies; k++) {
        size_t place = k / width * n_columns * width + k % width;
        for (size_t column = 0; column < n_columns; column++, place += width)
            put(packed->turns, is_wide, place, element(frequencies, k, column) * TURNS_PER_RADIAN);
        if (start.data)
            put(packed->start, is_wide, k, element(start, k, 0));
        for (size_t row = 0; row < n_coefficients; row++)
            packed->coefficients[row * n_blocks * width + k] = (float)element(coefficients, row, k);
    }
    return packed;
}

void free_packed(struct packed *packed) {
    free(packed->turns);
    free(packed->start);
    free(packed->coefficients);
    free(packed);
}

static double value_at(const char *from, int is_double) {
    double wide;
    float narrow;
    if (is_double) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

/* Sum of squares; four chains hide the latency of an addition, and are two vectors where values are contiguous. */
static inline __attribute__((always_inline)) double sum_squares(const char *from, ptrdiff_t stride, size_t n,
                                                                int is_double) {
    typedef double vpair __attribute__((vector_size(16)));
    vpair sums[2] = {{0}};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int pair = 0; pair < 2; pair++, from += 2 * stride) {
            vpair values = {value_at(from, is_double), value_at(from + stride, is_double)};
            sums[pair] += values * values;
        }
    for (; i < n; i++, from += stride) {
        double value = value_at(from, is_double);
        sums[0][0] += value * value;
    }
    return (sums[0][0] + sums[0][1]) + (sums[1][0] + sums[1][1]);
}

/* The same for rows whose squares overflow: values are cut off. An infinite value must not pass for a large one. */
static double sum_squares_of_large(const char *from, ptrdiff_t stride, size_t n, int is_double) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++, from += stride) {
        double value = fabs(value_at(from, is_double));
        value = isinf(value) ? NAN : value > LARGEST_VALUE ? LARGEST_VALUE : value;
        sum += value * value;
    }
    return sum;
}

void measure_norms(const struct rows *rows, double *out) {
    ptrdiff_t stride = rows->column_stride;
    size_t n = rows->n_columns;
    for (size_t row = 0; row < rows->n_rows; row++) {
        const char *from = rows->data + (ptrdiff_t)row * rows->row_stride;
        double sum;
        /* One call per layout, so that the compiler knows the strides of the common ones. */
        if (rows->is_double && stride == sizeof(double))
            sum = sum_squares(from, sizeof(double), n, 1);
        else if (!rows->is_double && stride == sizeof(float))
            sum = sum_squares(from, sizeof(float), n, 0);
        else
            sum = sum_squares(from, stride, n, rows->is_double);
        if (!(sum < LARGEST_VALUE * LARGEST_VALUE))
            sum = sum_squares_of_large(from, stride, n, rows->is_double);
        out[row] = sqrt(sum);
    }
}
