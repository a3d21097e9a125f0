/* Arrays as Python hands them over: the buffer protocol only, so NumPy is not needed to build the modules.
 *
 * Callers are s2auc's own modules, which pass arrays of the right shapes; the checks make a mistake an error instead of
 * a crash. Include Python.h first. */

#ifndef S2AUC_BUFFERS_H
#define S2AUC_BUFFERS_H

#include <string.h>

/* Get a buffer of so many dimensions and one of the types in `codes`; 0 or, with an exception, -1. */
static int get(PyObject *object, Py_buffer *view, int flags, int n_dimensions, const char *codes, const char *name) {
    if (PyObject_GetBuffer(object, view, flags | PyBUF_STRIDES | PyBUF_FORMAT) < 0)
        return -1;
    /* A prefix such as '=' speaks of alignment, which does not matter here; of byte order the caller takes care. */
    size_t length = view->format ? strlen(view->format) : 0;
    if (view->ndim == n_dimensions && length && strchr(codes, view->format[length - 1]))
        return 0;
    PyErr_Format(PyExc_ValueError, "%s must have %d dimensions and a type among '%s'. Got %d and '%s'.", name,
                 n_dimensions, codes, view->ndim, view->format ? view->format : "");
    PyBuffer_Release(view);
    return -1;
}

#endif
