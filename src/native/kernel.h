/* What every instruction set offers to the Python module, and how rows and frequencies come in.
 *
 * Plain C without Python: `kernel.c` implements it once, and is compiled once per instruction set. */

#ifndef S2AUC_KERNEL_H
#define S2AUC_KERNEL_H

#include <stddef.h>

/* Rows as the caller holds them: any strides, any alignment, float32 or float64. */
struct rows {
    const char *data;
    ptrdiff_t row_stride, column_stride;
    size_t n_rows, n_columns;
    int is_double;
};

/* Frequencies in turns (divided by 2 pi), and what goes with each, in the layout of one instruction set.
 *
 * Frequencies stand in blocks of `width`, column by column; the last block is padded with zeros. */
struct packed {
    size_t n_frequencies, n_columns, n_blocks, width;
    int is_wide;             /* angles formed in double? */
    size_t n_coefficients;   /* rows of `coefficients` */
    void *turns;             /* (n_blocks, n_columns, width), float or, if wide, double */
    void *start;             /* (n_blocks, width): minus the phase in turns, of the same type */
    float *coefficients;     /* (n_coefficients, n_blocks * width) */
};

/* Rows whose copies are kept at a time, so that a run of frequencies is fetched once for all of them. Every instruction
 * set divides it into tiles; the rows of a call should be a multiple of it (fourier_native.py). */
#define GROUP 96

/* Functions that return int return 0, or -1 if memory ran out. */
struct kernel {
    const char *name;
    size_t width;
    /* out[row] = sum of coefficient * cos(angle - phase) */
    int (*evaluate)(const struct packed *, const struct rows *, double *out);
    /* out[row][model] = sum of cosine coefficient * cos + sine coefficient * sin; coefficients by turns */
    int (*evaluate_bundle)(const struct packed *, const struct rows *, double *out);
    /* out: rows of n_frequencies cosines, then as many sines, `row_stride` floats apart */
    int (*features)(const struct packed *, const struct rows *, float *out, size_t row_stride);
    /* floating point operations of `rounds` rounds of fused multiply-adds; the result only keeps them alive */
    double (*multiply_add)(size_t rounds, float *result);
};

extern const struct kernel s2auc_baseline;
#ifdef S2AUC_HAVE_X86
extern const struct kernel s2auc_avx2, s2auc_avx512;
#endif

/* Values beyond these could overflow in a product, and angles beyond are not known to one turn: both are cut off,
 * so that any finite row has a finite score. The same numbers as in tiles.py, the second in turns. */
#define LARGEST_VALUE 1e150
#define LARGEST_TURN (1e15 / 6.283185307179586)

#endif
