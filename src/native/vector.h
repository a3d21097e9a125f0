/* Vectors of floats and doubles, as wide as the instruction set that this translation unit is compiled for.
 *
 * The compiler's vector extensions (GCC, Clang) carry the arithmetic, so that one source serves every instruction set;
 * a new one needs a vector size and the shape of a register tile here, and flags in meson.build. */

#ifndef S2AUC_VECTOR_H
#define S2AUC_VECTOR_H

#include <stdint.h>
#include <string.h>

/* A register tile is ROWS rows by VECTORS vectors of frequencies. As many sums as hide the latency of a multiply-add
 * are enough: further registers are worth more to the constants of the cosine and the sums of its values. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define REGISTERS 32
#define ROWS 8
#define VECTORS 2
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#define REGISTERS 16
#define ROWS 6
#define VECTORS 2
#else
#define VECTOR_BYTES 16
#define REGISTERS 16
#define ROWS 4
#define VECTORS 2
#endif

#define LANES (VECTOR_BYTES / 4)
#define LANES_DOUBLE (LANES / 2)
#define WIDTH (VECTORS * LANES)

_Static_assert(ROWS * VECTORS + VECTORS + 1 <= REGISTERS, "the sums, frequencies and a row value fit the registers");

typedef float vfloat __attribute__((vector_size(VECTOR_BYTES)));
typedef double vdouble __attribute__((vector_size(VECTOR_BYTES)));
typedef float vhalf __attribute__((vector_size(VECTOR_BYTES / 2)));
typedef int32_t vint __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t vlong __attribute__((vector_size(VECTOR_BYTES)));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

/* Loads and stores through memcpy: buffers need no alignment, and the compiler emits one instruction. */
INLINE vfloat load(const float *from) {
    vfloat value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE vdouble load_double(const double *from) {
    vdouble value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void store(float *to, vfloat value) { memcpy(to, &value, sizeof value); }

INLINE vfloat all(float value) { return value - (vfloat){0}; }

INLINE vdouble all_double(double value) { return value - (vdouble){0}; }

/* mask lanes are all ones or all zeros */
INLINE vdouble choose(vlong mask, vdouble yes, vdouble no) {
    return (vdouble)((mask & (vlong)yes) | (~mask & (vlong)no));
}

#endif
