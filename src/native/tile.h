/* A register tile: ROWS rows meet one block of WIDTH frequencies, and their angles in turns come out.
 *
 * Rows are copied into blocks first (column by column, ROWS values each), which makes any strides, alignment and type
 * of the caller's rows the same computation; missing rows of the last block are zeros. */

#ifndef S2AUC_TILE_H
#define S2AUC_TILE_H

#include "kernel.h"
#include "vector.h"

_Static_assert(GROUP % ROWS == 0, "a group of rows is whole tiles");

INLINE double element(const char *from, int is_double) {
    double wide;
    float narrow;
    if (is_double) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

static void copy_rows(const struct rows *rows, size_t first, size_t n_rows, int is_wide, void *blocks) {
    size_t n_columns = rows->n_columns;
    for (size_t row = 0; row < n_rows; row++) {
        const char *from = rows->data + (ptrdiff_t)(first + row) * rows->row_stride;
        size_t place = (row / ROWS) * n_columns * ROWS + row % ROWS;
        for (size_t column = 0; column < n_columns; column++, place += ROWS, from += rows->column_stride) {
            double value = element(from, rows->is_double);
            if (is_wide) {
                value = value > LARGEST_VALUE ? LARGEST_VALUE : value < -LARGEST_VALUE ? -LARGEST_VALUE : value;
                ((double *)blocks)[place] = value;
            } else {
                ((float *)blocks)[place] = (float)value;
            }
        }
    }
    size_t n_blocks = (n_rows + ROWS - 1) / ROWS;
    for (size_t row = n_rows; row < n_blocks * ROWS; row++)
        for (size_t column = 0; column < n_columns; column++) {
            size_t place = ((row / ROWS) * n_columns + column) * ROWS + row % ROWS;
            if (is_wide)
                ((double *)blocks)[place] = 0.0;
            else
                ((float *)blocks)[place] = 0.0f;
        }
}

INLINE void narrow_turns(const float *x, const float *w, const float *start, size_t n_columns,
                         vfloat turns[ROWS][VECTORS]) {
    UNROLL for (int row = 0; row < ROWS; row++)
        UNROLL for (int vector = 0; vector < VECTORS; vector++)
            turns[row][vector] = load(start + vector * LANES);
    for (size_t column = 0; column < n_columns; column++, x += ROWS, w += WIDTH) {
        vfloat of_column[VECTORS];
        UNROLL for (int vector = 0; vector < VECTORS; vector++)
            of_column[vector] = load(w + vector * LANES);
        UNROLL for (int row = 0; row < ROWS; row++)
            UNROLL for (int vector = 0; vector < VECTORS; vector++)
                turns[row][vector] += all(x[row]) * of_column[vector];
    }
}

/* Doubles are half as many to a vector: a block of frequencies is this many pieces. As many rows are taken at a time as
 * have sums that fill half of the registers. */
#define PIECES (WIDTH / LANES_DOUBLE)
#define WIDE_ROWS (REGISTERS / 2 / PIECES)
_Static_assert(WIDE_ROWS > 0 && ROWS % WIDE_ROWS == 0, "a tile is done in whole steps");

/* Cut off, taken to half a turn around zero, then made float: no precision is lost to the size of the angle. */
INLINE void narrow_down(vdouble angle, const double *start, float *to) {
    const vdouble whole = all_double(6755399441055744.0); /* 1.5 * 2^52: adding it rounds to whole turns */
    const vdouble limit = all_double(LARGEST_TURN);
    angle = choose(angle > limit, limit, angle);
    angle = choose(angle < -limit, -limit, angle);
    vhalf narrow = __builtin_convertvector((angle - ((angle + whole) - whole)) + load_double(start), vhalf);
    memcpy(to, &narrow, sizeof narrow);
}

/* The same in double, some rows at a time. */
static void wide_turns(const double *x, const double *w, const double *start, size_t n_columns,
                       vfloat turns[ROWS][VECTORS]) {
    for (int first = 0; first < ROWS; first += WIDE_ROWS) {
        vdouble sums[WIDE_ROWS][PIECES] = {{{0}}};
        for (size_t column = 0; column < n_columns; column++) {
            vdouble of_row[WIDE_ROWS];
            UNROLL for (int row = 0; row < WIDE_ROWS; row++)
                of_row[row] = all_double(x[column * ROWS + first + row]);
            UNROLL for (int piece = 0; piece < PIECES; piece++) {
                vdouble of_column = load_double(w + column * WIDTH + piece * LANES_DOUBLE);
                UNROLL for (int row = 0; row < WIDE_ROWS; row++)
                    sums[row][piece] += of_row[row] * of_column;
            }
        }
        UNROLL for (int row = 0; row < WIDE_ROWS; row++)
            UNROLL for (int piece = 0; piece < PIECES; piece++)
                narrow_down(sums[row][piece], start + piece * LANES_DOUBLE,
                            (float *)turns[first + row] + piece * LANES_DOUBLE);
    }
}

/* Angles of one block of rows and one block of frequencies. */
INLINE void tile_turns(const struct packed *packed, const void *blocks, size_t row_block, size_t block,
                       vfloat turns[ROWS][VECTORS]) {
    size_t n_columns = packed->n_columns;
    size_t row_offset = row_block * n_columns * ROWS, offset = block * n_columns * WIDTH;
    if (packed->is_wide)
        wide_turns((const double *)blocks + row_offset, (const double *)packed->turns + offset,
                   (const double *)packed->start + block * WIDTH, n_columns, turns);
    else
        narrow_turns((const float *)blocks + row_offset, (const float *)packed->turns + offset,
                     (const float *)packed->start + block * WIDTH, n_columns, turns);
}

#endif
