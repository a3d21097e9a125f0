/* Cosine and sine of an angle in turns: one rounding takes the angle to a quarter turn around zero, a polynomial does
 * the rest.
 *
 * With h the nearest multiple of half a turn and r = t - h, |r| <= 1/4:  cos(2 pi t) = (-1)^(2h) cos(2 pi r), and the
 * same for the sine. Minimax polynomials in r^2, their coefficients rounded to float32, are off by less than 2e-8 and 5e-8
 * there; the rest is the rounding of float32, about 1e-7. NaN and infinity become NaN. */

#ifndef S2AUC_COSINE_H
#define S2AUC_COSINE_H

#include "vector.h"

/* Floats in [2^22, 2^23) are the multiples of one half: adding this rounds to half turns. The last bit of the sum then
 * says whether their number is odd. */
#define HALF_TURNS 6291456.0f

#define COS0 0.9999999997806517f
#define COS1 -19.739208548913524f
#define COS2 64.93934662948858f
#define COS3 -85.45357162683534f
#define COS4 60.144015092966626f
#define COS5 -24.982237806211838f

#define SIN0 6.28318516217585f
#define SIN1 -41.341655370289075f
#define SIN2 81.60102087490968f
#define SIN3 -76.55010777143903f
#define SIN4 39.53886900773244f

struct reduced {
    vfloat rest, square;
    vint sign; /* the sign bit, set where cosine and sine change sign */
};

INLINE struct reduced reduce(vfloat turns) {
    vfloat shifted = turns + HALF_TURNS;
    struct reduced angle;
    angle.rest = turns - (shifted - HALF_TURNS);
    angle.square = angle.rest * angle.rest;
    angle.sign = (vint)shifted << 31;
    return angle;
}

INLINE vfloat with_sign(vint sign, vfloat value) { return (vfloat)(sign ^ (vint)value); }

/* Both without their sign. */
INLINE vfloat cosine(struct reduced angle) {
    vfloat square = angle.square, value = all(COS5);
    value = value * square + COS4;
    value = value * square + COS3;
    value = value * square + COS2;
    value = value * square + COS1;
    return value * square + COS0;
}

INLINE vfloat sine(struct reduced angle) {
    vfloat square = angle.square, value = all(SIN4);
    value = value * square + SIN3;
    value = value * square + SIN2;
    value = value * square + SIN1;
    return angle.rest * (value * square + SIN0);
}

#endif
