/* Bringing frequencies into the layout of an instruction set, and the sizes of rows. */

#ifndef S2AUC_PACKING_H
#define S2AUC_PACKING_H

#include "kernel.h"

/* Strided doubles: one array (second stride 0) or a matrix; NULL data stands for zeros. */
struct doubles {
    const char *data;
    ptrdiff_t stride, inner_stride;
};

/* NULL if memory ran out. `turns` are in turns already; `start` is minus the phase in turns. */
struct packed *pack(size_t width, size_t n_frequencies, size_t n_columns, int is_wide, struct doubles turns,
                    struct doubles start, size_t n_coefficients, struct doubles coefficients);

void free_packed(struct packed *packed);

/* Norm of every row, values cut off at LARGEST_VALUE; NaN for rows that are not finite. */
void measure_norms(const struct rows *rows, double *out);

#endif
