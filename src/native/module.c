/* The Python module of the cosines: checks buffers, releases the interpreter's lock, and calls the kernel of an
 * instruction set. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "buffers.h"
#include "kernel.h"
#include "packing.h"

static const char CAPSULE[] = "s2auc.packed";

struct bound {
    const struct kernel *kernel;
    struct packed *packed;
};

/* From plain to fancy: the last one that runs here is the one to use. */
static size_t runnable(const struct kernel *kernels[3]) {
    size_t n = 0;
    kernels[n++] = &s2auc_baseline;
#ifdef S2AUC_HAVE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        kernels[n++] = &s2auc_avx2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
            kernels[n++] = &s2auc_avx512;
    }
#endif
    return n;
}

static const struct kernel *find_kernel(const char *name) {
    const struct kernel *kernels[3];
    size_t n = runnable(kernels);
    for (size_t i = 0; i < n; i++)
        if (strcmp(kernels[i]->name, name) == 0)
            return kernels[i];
    PyErr_Format(PyExc_ValueError, "The instruction set must be one that this processor has. Got %s.", name);
    return NULL;
}

static PyObject *instruction_sets(PyObject *self, PyObject *arguments) {
    (void)self, (void)arguments;
    const struct kernel *kernels[3];
    size_t n = runnable(kernels);
    PyObject *names = PyTuple_New((Py_ssize_t)n);
    for (size_t i = 0; names && i < n; i++) {
        PyObject *name = PyUnicode_FromString(kernels[i]->name);
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

static struct rows rows_of(const Py_buffer *view) {
    return (struct rows){.data = view->buf,
                         .row_stride = view->strides[0],
                         .column_stride = view->strides[1],
                         .n_rows = (size_t)view->shape[0],
                         .n_columns = (size_t)view->shape[1],
                         .is_double = view->itemsize == sizeof(double)};
}

static struct doubles doubles_of(const Py_buffer *view) {
    return (struct doubles){view->buf, view->strides[0], view->ndim > 1 ? view->strides[1] : 0};
}

static void destroy(PyObject *capsule) {
    struct bound *bound = PyCapsule_GetPointer(capsule, CAPSULE);
    free_packed(bound->packed);
    PyMem_Free(bound);
}

static PyObject *wrap(const struct kernel *kernel, struct packed *packed) {
    struct bound *bound = packed ? PyMem_Malloc(sizeof *bound) : NULL;
    if (!bound) {
        if (packed)
            free_packed(packed);
        return PyErr_NoMemory();
    }
    *bound = (struct bound){kernel, packed};
    PyObject *capsule = PyCapsule_New(bound, CAPSULE, destroy);
    if (!capsule) {
        free_packed(packed);
        PyMem_Free(bound);
    }
    return capsule;
}

static PyObject *pack_frequencies(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *name;
    int is_wide;
    PyObject *of_frequencies, *of_start, *of_coefficients, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "sOpOO", &name, &of_frequencies, &is_wide, &of_start, &of_coefficients))
        return NULL;
    const struct kernel *kernel = find_kernel(name);
    Py_buffer W, start, coefficients;
    if (!kernel || get(of_frequencies, &W, 0, 2, "d", "W") < 0)
        return NULL;
    if (get(of_start, &start, 0, 1, "d", "start") < 0)
        goto release_frequencies;
    if (get(of_coefficients, &coefficients, 0, 2, "d", "coefficients") < 0)
        goto release_start;
    if (start.shape[0] != W.shape[0] || coefficients.shape[1] != W.shape[0]) {
        PyErr_Format(PyExc_ValueError, "start and coefficients must match the %zd frequencies. Got %zd and %zd.",
                     W.shape[0], start.shape[0], coefficients.shape[1]);
        goto release_all;
    }
    struct packed *packed;
    Py_BEGIN_ALLOW_THREADS
    packed = pack(kernel->width, (size_t)W.shape[0], (size_t)W.shape[1], is_wide, doubles_of(&W), doubles_of(&start),
                  (size_t)coefficients.shape[0], doubles_of(&coefficients));
    Py_END_ALLOW_THREADS
    result = wrap(kernel, packed);
release_all:
    PyBuffer_Release(&coefficients);
release_start:
    PyBuffer_Release(&start);
release_frequencies:
    PyBuffer_Release(&W);
    return result;
}

static PyObject *norms(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *of_rows, *of_out, *result = NULL;
    Py_buffer X, out;
    if (!PyArg_ParseTuple(arguments, "OO", &of_rows, &of_out) || get(of_rows, &X, 0, 2, "fd", "X") < 0)
        return NULL;
    if (get(of_out, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 1, "d", "out") == 0) {
        if (out.shape[0] != X.shape[0]) {
            PyErr_Format(PyExc_ValueError, "out must have one place a row. Got %zd for %zd rows.", out.shape[0],
                         X.shape[0]);
        } else {
            struct rows rows = rows_of(&X);
            Py_BEGIN_ALLOW_THREADS
            measure_norms(&rows, out.buf);
            Py_END_ALLOW_THREADS
            result = Py_NewRef(Py_None);
        }
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&X);
    return result;
}

/* What an operation works on. */
struct call {
    const struct kernel *kernel;
    const struct packed *packed;
    struct rows rows;
    Py_buffer *out;
};

struct operation {
    int n_dimensions;
    const char *code; /* type of `out` */
    int (*fits)(const struct call *);
    int (*run)(const struct call *);
};

static int has_shape(const Py_buffer *out, size_t first, size_t second) {
    return (size_t)out->shape[0] == first && (out->ndim == 1 || (size_t)out->shape[1] == second);
}

static int evaluate_fits(const struct call *call) {
    return call->packed->n_coefficients == 1 && has_shape(call->out, call->rows.n_rows, 0);
}

static int run_evaluate(const struct call *call) {
    return call->kernel->evaluate(call->packed, &call->rows, call->out->buf);
}

static int bundle_fits(const struct call *call) {
    size_t n = call->packed->n_coefficients;
    return n % 2 == 0 && has_shape(call->out, call->rows.n_rows, n / 2);
}

static int run_bundle(const struct call *call) {
    return call->kernel->evaluate_bundle(call->packed, &call->rows, call->out->buf);
}

static int features_fit(const struct call *call) {
    return has_shape(call->out, call->rows.n_rows, 2 * call->packed->n_frequencies);
}

static int run_features(const struct call *call) {
    return call->kernel->features(call->packed, &call->rows, call->out->buf, 2 * call->packed->n_frequencies);
}

static PyObject *operate(PyObject *arguments, const struct operation *operation) {
    PyObject *of_packed, *of_rows, *of_out, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO", &of_packed, &of_rows, &of_out))
        return NULL;
    const struct bound *bound = PyCapsule_GetPointer(of_packed, CAPSULE);
    Py_buffer X, out;
    if (!bound || get(of_rows, &X, 0, 2, "fd", "X") < 0)
        return NULL;
    if (get(of_out, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, operation->n_dimensions, operation->code, "out") == 0) {
        struct call call = {bound->kernel, bound->packed, rows_of(&X), &out};
        if (call.rows.n_columns != call.packed->n_columns || !operation->fits(&call)) {
            PyErr_SetString(PyExc_ValueError, "X and out must fit the packed frequencies and each other in shape.");
        } else {
            int status;
            Py_BEGIN_ALLOW_THREADS
            status = operation->run(&call);
            Py_END_ALLOW_THREADS
            result = status == 0 ? Py_NewRef(Py_None) : PyErr_NoMemory();
        }
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&X);
    return result;
}

static PyObject *evaluate(PyObject *self, PyObject *arguments) {
    (void)self;
    return operate(arguments, &(struct operation){1, "d", evaluate_fits, run_evaluate});
}

static PyObject *evaluate_bundle(PyObject *self, PyObject *arguments) {
    (void)self;
    return operate(arguments, &(struct operation){2, "d", bundle_fits, run_bundle});
}

static PyObject *features(PyObject *self, PyObject *arguments) {
    (void)self;
    return operate(arguments, &(struct operation){2, "f", features_fit, run_features});
}

static PyObject *multiply_add(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *name;
    Py_ssize_t rounds;
    if (!PyArg_ParseTuple(arguments, "sn", &name, &rounds))
        return NULL;
    const struct kernel *kernel = find_kernel(name);
    if (!kernel || rounds < 0)
        return kernel ? PyErr_Format(PyExc_ValueError, "rounds must be >= 0. Got %zd.", rounds) : NULL;
    float kept;
    double operations;
    Py_BEGIN_ALLOW_THREADS
    operations = kernel->multiply_add((size_t)rounds, &kept);
    Py_END_ALLOW_THREADS
    return PyFloat_FromDouble(operations);
}

static PyMethodDef methods[] = {
    {"instruction_sets", instruction_sets, METH_NOARGS, "Return the instruction sets that run here, best last."},
    {"pack", pack_frequencies, METH_VARARGS, "Return frequencies in the layout of an instruction set."},
    {"norms", norms, METH_VARARGS, "Write the norm of every row."},
    {"evaluate", evaluate, METH_VARARGS, "Write the score of every row."},
    {"evaluate_bundle", evaluate_bundle, METH_VARARGS, "Write the scores of every row and model."},
    {"features", features, METH_VARARGS, "Write the waves of every row."},
    {"multiply_add", multiply_add, METH_VARARGS, "Run fused multiply-adds and return the number of operations."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_cosines", "Fused kernels for sums of cosines.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__cosines(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && PyModule_AddIntConstant(module, "GROUP_ROWS", GROUP) < 0)
        Py_CLEAR(module);
    return module;
}
