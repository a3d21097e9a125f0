/* Forests of binary trees, and the sums of the leaf values that rows arrive at. Plain C without Python. */

#ifndef S2AUC_TREES_H
#define S2AUC_TREES_H

#include <stddef.h>
#include <stdint.h>

/* One step of a walk. The left child is the next node; a leaf is its own right child, with NaN for a threshold. */
struct node {
    float threshold;
    uint32_t column;
    uint32_t right; /* in bytes from the first of all nodes */
};

/* The tables of `s2auc.models.parts.trees.tables`, as the caller holds them: contiguous, of any content. */
struct tree_tables {
    size_t n_nodes, n_trees;
    const int32_t *column;
    const float *threshold;
    const int32_t *right; /* itself at leaves; the left child is the next node */
    const double *value;
    const int32_t *first; /* of each tree */
};

struct forest {
    size_t n_trees, n_columns;
    struct node *nodes;
    double *value;
    uint32_t *first; /* in bytes, of each tree */
};

enum tree_fault { TREES_SOUND, TREES_UNSOUND, TREES_NO_MEMORY };

/* Copy tables whose walks stay inside and come to an end on rows of so many columns; others are unsound. */
enum tree_fault pack_forest(const struct tree_tables *tables, size_t n_columns, struct forest *forest);
void free_forest(struct forest *forest);

/* out[row] = sum over the trees, in their order, of the value of the leaf that the row arrives at. `rows` is a
 * contiguous matrix of `forest->n_columns` columns. */
void sum_leaves(const struct forest *forest, const float *rows, size_t n_rows, double *out);

#endif
