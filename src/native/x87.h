/* Taking the registers of the old floating point unit out of use.
 *
 * Some processors (AMD's Zen 3) have fewer physical registers left for vectors while a thread has values in its x87
 * registers, even values that were popped long ago: few columns were 7 % slower in threads that had worked with long
 * doubles, as importing NumPy does. Only XRSTOR puts the unit back as it was. */

#ifndef S2AUC_X87_H
#define S2AUC_X87_H

/* For processors with AVX, which implies XRSTOR. The calling conventions allow it: no x87 register holds a value across
 * a call, only the control word does, and where somebody has changed that one nothing is done. */
static inline void forget_x87(void) {
#if defined(__x86_64__)
    enum { USUAL_CONTROL = 0x37f, ONLY_X87 = 1 };
    static const _Alignas(64) unsigned char initial_state[576]; /* zeros: a header that says "as after a reset" */
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    if (control == USUAL_CONTROL)
        __asm__ volatile("xrstor %0"
                         :
                         : "m"(initial_state), "a"(ONLY_X87), "d"(0)
                         : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
#endif
}

#endif
