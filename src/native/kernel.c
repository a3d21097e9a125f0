/* The operations on sums of cosines, for one instruction set: KERNEL_NAME is its name, the compiler's flags say which.
 *
 * All have one shape: a group of rows is copied into blocks; the frequencies pass by in runs that stay in the cache
 * while every block of rows meets them; sums over a run are float, sums over runs are double. A row's arithmetic is the
 * same wherever it stands. */

#include <stdlib.h>

#include "cosine.h"
#include "kernel.h"
#include "tile.h"

#define PASTE(a, b) a##b
#define SYMBOL(name) PASTE(s2auc_, name)
#define QUOTE(name) #name
#define TEXT(name) QUOTE(name)

/* Frequencies of a run. It divides the piece lengths of stream.py, so that cutting there does not move runs. */
#define RUN 256
#define RUN_BLOCKS (RUN / WIDTH)
_Static_assert(RUN % WIDTH == 0, "a run is whole blocks of frequencies");

/* Waves of one block of rows and one run: for every row RUN cosines, then RUN sines. */
#define WAVES (ROWS * 2 * RUN)

static void *allocate(size_t n, size_t size) {
    if (n > (SIZE_MAX - 63) / size)
        return NULL;
    size_t bytes = (n * size + 63) / 64 * 64;
    return aligned_alloc(64, bytes ? bytes : 64);
}

static void *allocate_blocks(const struct packed *packed, const struct rows *rows) {
    size_t n_rows = rows->n_rows < GROUP ? (rows->n_rows + ROWS - 1) / ROWS * ROWS : GROUP;
    if (packed->n_columns && n_rows > SIZE_MAX / packed->n_columns)
        return NULL;
    return allocate(n_rows * packed->n_columns, packed->is_wide ? sizeof(double) : sizeof(float));
}

INLINE size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* total += sum, lane by lane; two vectors of doubles hold as many lanes as one of floats */
INLINE void add_lanes(double *total, vfloat sum) {
    vhalf halves[2];
    memcpy(halves, &sum, sizeof sum);
    UNROLL for (int half = 0; half < 2; half++) {
        vdouble lanes;
        memcpy(&lanes, total + half * LANES_DOUBLE, sizeof lanes);
        lanes += __builtin_convertvector(halves[half], vdouble);
        memcpy(total + half * LANES_DOUBLE, &lanes, sizeof lanes);
    }
}

INLINE double add_up(const double *lanes) {
    double sum = 0.0;
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static int evaluate(const struct packed *given, const struct rows *rows, double *out) {
    const struct packed own = *given, *packed = &own; /* stores cannot change it: no need to read it again */
    void *blocks = allocate_blocks(packed, rows);
    double *totals = allocate(GROUP * LANES, sizeof(double));
    int status = blocks && totals ? 0 : -1;
    for (size_t first = 0; status == 0 && first < rows->n_rows; first += GROUP) {
        size_t n_rows = least(GROUP, rows->n_rows - first), n_row_blocks = (n_rows + ROWS - 1) / ROWS;
        copy_rows(rows, first, n_rows, packed->is_wide, blocks);
        memset(totals, 0, GROUP * LANES * sizeof(double));
        for (size_t run = 0; run < packed->n_blocks; run += RUN_BLOCKS) {
            size_t last = least(run + RUN_BLOCKS, packed->n_blocks);
            for (size_t row_block = 0; row_block < n_row_blocks; row_block++) {
                vfloat sums[ROWS] = {{0}};
                for (size_t block = run; block < last; block++) {
                    vfloat turns[ROWS][VECTORS];
                    tile_turns(packed, blocks, row_block, block, turns);
                    UNROLL for (int row = 0; row < ROWS; row++)
                        UNROLL for (int vector = 0; vector < VECTORS; vector++) {
                            struct reduced angle = reduce(turns[row][vector]);
                            vfloat amplitude = load(packed->coefficients + block * WIDTH + vector * LANES);
                            sums[row] += with_sign(angle.sign, amplitude) * cosine(angle);
                        }
                }
                for (int row = 0; row < ROWS; row++)
                    add_lanes(totals + (row_block * ROWS + row) * LANES, sums[row]);
            }
        }
        for (size_t row = 0; row < n_rows; row++)
            out[first + row] = add_up(totals + row * LANES);
    }
    free(totals);
    free(blocks);
    return status;
}

/* Where waves go: a row's cosines start `row_stride` floats after those of the row before, its sines `sines` later. */
struct place {
    float *to;
    size_t row_stride, sines;
};

/* Write the waves of one block of rows and the blocks of frequencies [run, last). */
static void make_waves(const struct packed *given, const void *blocks, size_t row_block, size_t run, size_t last,
                       struct place place) {
    const struct packed own = *given, *packed = &own; /* as above */
    for (size_t block = run; block < last; block++, place.to += WIDTH) {
        vfloat turns[ROWS][VECTORS];
        tile_turns(packed, blocks, row_block, block, turns);
        UNROLL for (int row = 0; row < ROWS; row++)
            UNROLL for (int vector = 0; vector < VECTORS; vector++) {
                struct reduced angle = reduce(turns[row][vector]);
                float *to = place.to + row * place.row_stride + vector * LANES;
                store(to, with_sign(angle.sign, cosine(angle)));
                store(to + place.sines, with_sign(angle.sign, sine(angle)));
            }
    }
}

static struct place buffer_place(float *waves) { return (struct place){waves, 2 * RUN, RUN}; }

/* Whole blocks are written where they belong; what sticks out of the result goes through a buffer. */
static void write_features(const struct packed *packed, const void *blocks, size_t row_block, size_t n_rows,
                           size_t run, size_t last, struct place place, float *waves) {
    size_t m = packed->n_frequencies, whole = n_rows < ROWS ? run : least(last, m / WIDTH);
    if (whole > run)
        make_waves(packed, blocks, row_block, run, whole, place);
    if (whole == last)
        return;
    size_t done = whole > run ? (whole - run) * WIDTH : 0, bytes = (least(last * WIDTH, m) - run * WIDTH - done) * 4;
    make_waves(packed, blocks, row_block, run + done / WIDTH, last, buffer_place(waves));
    for (size_t row = 0; row < n_rows; row++) {
        float *to = place.to + row * place.row_stride + done;
        memcpy(to, waves + row * 2 * RUN, bytes);
        memcpy(to + place.sines, waves + (row * 2 + 1) * RUN, bytes);
    }
}

static int features(const struct packed *packed, const struct rows *rows, float *out, size_t row_stride) {
    void *blocks = allocate_blocks(packed, rows);
    float *waves = allocate(WAVES, sizeof(float));
    int status = blocks && waves ? 0 : -1;
    for (size_t first = 0; status == 0 && first < rows->n_rows; first += GROUP) {
        size_t n_rows = least(GROUP, rows->n_rows - first);
        copy_rows(rows, first, n_rows, packed->is_wide, blocks);
        for (size_t run = 0; run < packed->n_blocks; run += RUN_BLOCKS) {
            size_t last = least(run + RUN_BLOCKS, packed->n_blocks);
            for (size_t row = 0; row < n_rows; row += ROWS) {
                struct place place = {out + (first + row) * row_stride + run * WIDTH, row_stride,
                                      packed->n_frequencies};
                write_features(packed, blocks, row / ROWS, least(ROWS, n_rows - row), run, last, place, waves);
            }
        }
    }
    free(waves);
    free(blocks);
    return status;
}

/* totals[row][model] += coefficients * waves over one run, for one or two models: two share the loads of the waves. */
INLINE void weigh_waves(const float *waves, const float *coefficients, size_t padded, size_t width, int n_models,
                        double *totals, size_t stride) {
    vfloat sums[ROWS][2] = {{{0}}};
    for (int wave = 0; wave < 2; wave++)
        for (size_t place = 0; place < width; place += LANES) {
            vfloat weights[2];
            UNROLL for (int model = 0; model < n_models; model++)
                weights[model] = load(coefficients + (size_t)(2 * model + wave) * padded + place);
            UNROLL for (int row = 0; row < ROWS; row++) {
                vfloat value = load(waves + (row * 2 + wave) * RUN + place);
                UNROLL for (int model = 0; model < n_models; model++)
                    sums[row][model] += weights[model] * value;
            }
        }
    for (int row = 0; row < ROWS; row++)
        UNROLL for (int model = 0; model < n_models; model++)
            add_lanes(totals + row * stride + model * LANES, sums[row][model]);
}

static int evaluate_bundle(const struct packed *packed, const struct rows *rows, double *out) {
    size_t n_models = packed->n_coefficients / 2, stride = n_models * LANES, padded = packed->n_blocks * WIDTH;
    void *blocks = allocate_blocks(packed, rows);
    float *waves = allocate(WAVES, sizeof(float));
    double *totals = allocate(GROUP * stride, sizeof(double));
    int status = blocks && waves && totals ? 0 : -1;
    for (size_t first = 0; status == 0 && first < rows->n_rows; first += GROUP) {
        size_t n_rows = least(GROUP, rows->n_rows - first), n_row_blocks = (n_rows + ROWS - 1) / ROWS;
        copy_rows(rows, first, n_rows, packed->is_wide, blocks);
        memset(totals, 0, GROUP * stride * sizeof(double));
        for (size_t run = 0; run < packed->n_blocks; run += RUN_BLOCKS) {
            size_t last = least(run + RUN_BLOCKS, packed->n_blocks), width = (last - run) * WIDTH;
            for (size_t row_block = 0; row_block < n_row_blocks; row_block++) {
                make_waves(packed, blocks, row_block, run, last, buffer_place(waves));
                for (size_t model = 0; model < n_models; model += 2) {
                    const float *coefficients = packed->coefficients + 2 * model * padded + run * WIDTH;
                    double *to = totals + row_block * ROWS * stride + model * LANES;
                    if (model + 1 < n_models)
                        weigh_waves(waves, coefficients, padded, width, 2, to, stride);
                    else
                        weigh_waves(waves, coefficients, padded, width, 1, to, stride);
                }
            }
        }
        for (size_t place = 0; place < n_rows * n_models; place++)
            out[first * n_models + place] = add_up(totals + place * LANES);
    }
    free(totals);
    free(waves);
    free(blocks);
    return status;
}

/* As many independent chains as hide the latency of a multiply-add, and still fit the registers. */
static double multiply_add(size_t rounds, float *result) {
    enum { CHAINS = 12 };
    vfloat chains[CHAINS], factor = all(0.999f), term = all(1e-3f);
    UNROLL for (int chain = 0; chain < CHAINS; chain++)
        chains[chain] = all(2.0f + (float)chain);
    for (size_t round = 0; round < rounds; round++)
        UNROLL for (int chain = 0; chain < CHAINS; chain++)
            chains[chain] = chains[chain] * factor + term;
    float sum = 0.0f;
    for (int chain = 0; chain < CHAINS; chain++)
        for (int lane = 0; lane < LANES; lane++)
            sum += chains[chain][lane];
    *result = sum;
    return 2.0 * CHAINS * LANES * (double)rounds;
}

const struct kernel SYMBOL(KERNEL_NAME) = {
    .name = TEXT(KERNEL_NAME),
    .width = WIDTH,
    .evaluate = evaluate,
    .evaluate_bundle = evaluate_bundle,
    .features = features,
    .multiply_add = multiply_add,
};
