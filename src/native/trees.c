/* Walks down binary trees: several rows at a time, so that one waits for memory while the others go on.
 *
 * All rows of a block go down one tree before the next, while both stay in the cache. A step has no branch that could be
 * mispredicted: rows that have arrived stay at their leaf, and leave after a few steps. */

#include "trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 12          /* rows that walk together */
#define STEPS 6           /* before those that have arrived leave */
#define LARGEST_BLOCK 512 /* rows */
#define BLOCK_BYTES 65536 /* of a block of rows, if there are more than a group */

static void *copy_of(const void *data, size_t n, size_t size) {
    void *copy = n && n <= SIZE_MAX / size ? malloc(n * size) : NULL;
    return copy ? memcpy(copy, data, n * size) : NULL;
}

/* Children come after their parents, so that every walk ends. */
static int is_sound(const struct tree_tables *tables, size_t n_columns) {
    size_t n = tables->n_nodes;
    if (n == 0 || n > UINT32_MAX / sizeof(struct node) || tables->n_trees == 0 || n_columns == 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        int32_t column = tables->column[i], right = tables->right[i];
        if (column < 0 || (size_t)column >= n_columns || right < 0 || (size_t)right < i || (size_t)right >= n)
            return 0;
    }
    for (size_t tree = 0; tree < tables->n_trees; tree++)
        if (tables->first[tree] < 0 || (size_t)tables->first[tree] >= n)
            return 0;
    return 1;
}

enum tree_fault pack_forest(const struct tree_tables *tables, size_t n_columns, struct forest *forest) {
    if (!is_sound(tables, n_columns))
        return TREES_UNSOUND;
    size_t n = tables->n_nodes;
    *forest = (struct forest){.n_trees = tables->n_trees,
                              .n_columns = n_columns,
                              .nodes = malloc(n * sizeof(struct node)),
                              .value = copy_of(tables->value, n, sizeof(double)),
                              .first = malloc(tables->n_trees * sizeof(uint32_t))};
    if (!forest->nodes || !forest->value || !forest->first) {
        free_forest(forest);
        return TREES_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        /* A row at a leaf stays there, as no value is at most NaN. Any other node has a right child after it, so the
         * next one exists. */
        int is_leaf = (size_t)tables->right[i] == i;
        forest->nodes[i] = (struct node){.threshold = is_leaf ? NAN : tables->threshold[i],
                                         .column = (uint32_t)tables->column[i],
                                         .right = (uint32_t)tables->right[i] * (uint32_t)sizeof(struct node)};
    }
    for (size_t tree = 0; tree < tables->n_trees; tree++)
        forest->first[tree] = (uint32_t)tables->first[tree] * (uint32_t)sizeof(struct node);
    return TREES_SOUND;
}

void free_forest(struct forest *forest) {
    free(forest->nodes);
    free(forest->value);
    free(forest->first);
}

/* The node after this one: the next if the row's value is at most the threshold, else its right child. */
static inline uint32_t step(const char *nodes, uint32_t at, const float *row) {
    const struct node *node = (const void *)(nodes + at);
    uint32_t left = at + (uint32_t)sizeof(struct node), right = node->right;
    /* A conditional expression becomes a branch with some compilers, which takes three times as long. */
    return right + (left - right) * (uint32_t)(row[node->column] <= node->threshold);
}

static inline int has_arrived(const char *nodes, uint32_t at) {
    return ((const struct node *)(const void *)(nodes + at))->right == at;
}

/* Let `GROUP` rows make `STEPS` steps. */
static inline void walk(const char *nodes, const float *rows, size_t n_columns, const uint32_t *numbers, uint32_t *at) {
    const float *row[GROUP];
    uint32_t node[GROUP];
    for (int i = 0; i < GROUP; i++) {
        row[i] = rows + numbers[i] * n_columns;
        node[i] = at[numbers[i]];
    }
    for (int repeat = 0; repeat < STEPS; repeat++)
        for (int i = 0; i < GROUP; i++)
            node[i] = step(nodes, node[i], row[i]);
    for (int i = 0; i < GROUP; i++)
        at[numbers[i]] = node[i];
}

/* Let rows walk from the root of a tree to their leaves. */
static void descend(const char *nodes, uint32_t root, const float *rows, size_t n_columns, size_t n_rows, uint32_t *at) {
    uint32_t walking[LARGEST_BLOCK + GROUP];
    for (size_t i = 0; i < n_rows; i++) {
        walking[i] = (uint32_t)i;
        at[i] = root;
    }
    for (size_t n_walking = n_rows; n_walking;) {
        size_t n_left = 0;
        /* A group that is not full walks with its last row several times. */
        for (size_t i = 0; i < GROUP; i++)
            walking[n_walking + i] = walking[n_walking - 1];
        for (size_t start = 0; start < n_walking; start += GROUP) {
            walk(nodes, rows, n_columns, walking + start, at);
            size_t end = n_walking - start < GROUP ? n_walking : start + GROUP;
            for (size_t i = start; i < end; i++) {
                uint32_t number = walking[i];
                walking[n_left] = number;
                n_left += !has_arrived(nodes, at[number]);
            }
        }
        n_walking = n_left;
    }
}

void sum_leaves(const struct forest *forest, const float *rows, size_t n_rows, double *out) {
    const char *nodes = (const char *)forest->nodes;
    size_t n_columns = forest->n_columns, fitting = BLOCK_BYTES / (sizeof(float) * n_columns);
    size_t block = fitting < GROUP ? GROUP : fitting > LARGEST_BLOCK ? LARGEST_BLOCK : fitting;
    uint32_t at[LARGEST_BLOCK];
    memset(out, 0, n_rows * sizeof(double));
    for (size_t start = 0; start < n_rows; start += block) {
        size_t n = n_rows - start < block ? n_rows - start : block;
        for (size_t tree = 0; tree < forest->n_trees; tree++) {
            descend(nodes, forest->first[tree], rows + start * n_columns, n_columns, n, at);
            for (size_t i = 0; i < n; i++)
                out[start + i] += forest->value[at[i] / sizeof(struct node)];
        }
    }
}
