"""The counter-based random numbers that frequencies come from."""

PHILOX_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
PHILOX_WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
WORD = 2**64


def philox4x64(counter: int, key: int, rounds: int = 10) -> list[int]:
    """The four words of philox4x64 at a 256-bit counter, by Salmon et al. (2011)."""
    c = [(counter >> (64 * i)) % WORD for i in range(4)]
    k = [key % WORD, (key >> 64) % WORD]
    for _ in range(rounds):
        first, second = PHILOX_MULTIPLIERS[0] * c[0], PHILOX_MULTIPLIERS[1] * c[2]
        c = [
            (second >> 64) ^ c[1] ^ k[0],
            second % WORD,
            (first >> 64) ^ c[3] ^ k[1],
            first % WORD,
        ]
        k = [(k[0] + PHILOX_WEYL[0]) % WORD, (k[1] + PHILOX_WEYL[1]) % WORD]
    return c
