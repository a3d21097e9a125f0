/* The Python module of the trees: checks buffers, releases the interpreter's lock, and sums leaf values. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "trees.h"

static const char CAPSULE[] = "s2auc.forest";

/* Get a contiguous buffer whose numbers, of so many bytes, stand where C may read them; 0 or, with an exception, -1. */
static int get_numbers(PyObject *object, Py_buffer *view, int flags, int n_dimensions, const char *codes, size_t size,
                       const char *name) {
    if (get(object, view, flags | PyBUF_C_CONTIGUOUS, n_dimensions, codes, name) < 0)
        return -1;
    if ((size_t)view->itemsize == size && (uintptr_t)view->buf % size == 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s must hold aligned numbers of %zu bytes. Got %zd bytes, or others.", name, size,
                 view->itemsize);
    PyBuffer_Release(view);
    return -1;
}

static void destroy(PyObject *capsule) {
    struct forest *forest = PyCapsule_GetPointer(capsule, CAPSULE);
    free_forest(forest);
    PyMem_Free(forest);
}

static PyObject *wrap(const struct tree_tables *tables, size_t n_columns) {
    struct forest *forest = PyMem_Malloc(sizeof *forest);
    if (!forest)
        return PyErr_NoMemory();
    enum tree_fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = pack_forest(tables, n_columns, forest);
    Py_END_ALLOW_THREADS
    if (fault == TREES_SOUND) {
        PyObject *capsule = PyCapsule_New(forest, CAPSULE, destroy);
        if (capsule)
            return capsule;
        free_forest(forest);
    } else if (fault == TREES_UNSOUND) {
        PyErr_SetString(PyExc_ValueError, "Trees must have columns, nodes and children that exist, each child after its "
                                          "parent. Got others; pass the tables of s2auc.models.parts.trees.tables.");
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(forest);
    return NULL;
}

enum { COLUMN, THRESHOLD, RIGHT, VALUE, FIRST, N_TABLES };

static PyObject *pack(PyObject *self, PyObject *arguments) {
    (void)self;
    static const char *const names[N_TABLES] = {"column", "threshold", "right", "value", "first"};
    static const char *const codes[N_TABLES] = {"il", "f", "il", "d", "il"};
    static const size_t sizes[N_TABLES] = {4, 4, 4, 8, 4};
    PyObject *objects[N_TABLES], *result = NULL;
    Py_buffer views[N_TABLES];
    Py_ssize_t n_columns;
    int n_open = 0;
    if (!PyArg_ParseTuple(arguments, "OOOOOn", &objects[COLUMN], &objects[THRESHOLD], &objects[RIGHT], &objects[VALUE],
                          &objects[FIRST], &n_columns))
        return NULL;
    while (n_open < N_TABLES) {
        if (get_numbers(objects[n_open], &views[n_open], 0, 1, codes[n_open], sizes[n_open], names[n_open]) < 0)
            goto release;
        n_open++;
    }
    Py_ssize_t n_nodes = views[COLUMN].shape[0];
    if (views[THRESHOLD].shape[0] != n_nodes || views[RIGHT].shape[0] != n_nodes || views[VALUE].shape[0] != n_nodes ||
        n_columns < 0) {
        PyErr_SetString(PyExc_ValueError, "column, threshold, right and value must have one place a node.");
        goto release;
    }
    struct tree_tables tables = {.n_nodes = (size_t)n_nodes,
                                 .n_trees = (size_t)views[FIRST].shape[0],
                                 .column = views[COLUMN].buf,
                                 .threshold = views[THRESHOLD].buf,
                                 .right = views[RIGHT].buf,
                                 .value = views[VALUE].buf,
                                 .first = views[FIRST].buf};
    result = wrap(&tables, (size_t)n_columns);
release:
    while (n_open)
        PyBuffer_Release(&views[--n_open]);
    return result;
}

static PyObject *sums(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *of_forest, *of_rows, *of_out, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO", &of_forest, &of_rows, &of_out))
        return NULL;
    const struct forest *forest = PyCapsule_GetPointer(of_forest, CAPSULE);
    Py_buffer X, out;
    if (!forest || get_numbers(of_rows, &X, 0, 2, "f", 4, "X") < 0)
        return NULL;
    if (get_numbers(of_out, &out, PyBUF_WRITABLE, 1, "d", 8, "out") == 0) {
        if ((size_t)X.shape[1] != forest->n_columns || out.shape[0] != X.shape[0]) {
            PyErr_Format(PyExc_ValueError, "X must have %zu columns, and out one place a row. Got %zd, and %zd for %zd.",
                         forest->n_columns, X.shape[1], out.shape[0], X.shape[0]);
        } else {
            Py_BEGIN_ALLOW_THREADS
            sum_leaves(forest, X.buf, (size_t)X.shape[0], out.buf);
            Py_END_ALLOW_THREADS
            result = Py_NewRef(Py_None);
        }
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&X);
    return result;
}

static PyMethodDef methods[] = {
    {"pack", pack, METH_VARARGS, "Return trees in the layout of walks, once these are known to stay inside and end."},
    {"sums", sums, METH_VARARGS, "Write the sum of the leaf values of every row."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_trees", "Sums over forests of binary trees.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__trees(void) { return PyModule_Create(&definition); }
