#include "packing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

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
            put(packed->turns, is_wide, place, element(frequencies, k, column) / TURN);
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

static double square(const char *from, int is_double) {
    double value;
    if (is_double) {
        memcpy(&value, from, sizeof value);
    } else {
        float narrow;
        memcpy(&narrow, from, sizeof narrow);
        value = narrow;
    }
    /* An infinite value must not pass for a large one. */
    value = isinf(value) ? NAN : value > LARGEST_VALUE ? LARGEST_VALUE : value < -LARGEST_VALUE ? -LARGEST_VALUE : value;
    return value * value;
}

void measure_norms(const struct rows *rows, double *out) {
    for (size_t row = 0; row < rows->n_rows; row++) {
        const char *from = rows->data + (ptrdiff_t)row * rows->row_stride;
        double sums[4] = {0}; /* four chains hide the latency of an addition */
        for (size_t column = 0; column < rows->n_columns; column++, from += rows->column_stride)
            sums[column % 4] += square(from, rows->is_double);
        out[row] = sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}
