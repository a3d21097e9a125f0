/* Copies that go past the caches, for results too large to stay there: writing a line then does not fetch it first. */

#ifndef S2AUC_STREAMING_H
#define S2AUC_STREAMING_H

#include <stdint.h>
#include <string.h>

#ifdef S2AUC_HAVE_X86
#include <xmmintrin.h>
#endif

static inline void copy_streaming(char *to, const float *values, size_t bytes) {
    const char *from = (const char *)values;
#ifdef S2AUC_HAVE_X86
    size_t head = (size_t)(-(uintptr_t)to % 16);
    if (bytes > head) {
        memcpy(to, from, head);
        to += head, from += head, bytes -= head;
        for (; bytes >= 16; to += 16, from += 16, bytes -= 16) {
            __m128 four;
            memcpy(&four, from, sizeof four);
            _mm_stream_ps((float *)(void *)to, four);
        }
    }
#endif
    memcpy(to, from, bytes);
}

/* Streamed values must be visible before another thread is told that they are there. */
static inline void finish_streaming(void) {
#ifdef S2AUC_HAVE_X86
    _mm_sfence();
#endif
}

#endif
