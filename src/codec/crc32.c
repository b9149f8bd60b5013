/*
 * crc32.c - CRC-32C (Castagnoli), the checksum of a CMBR record.
 *
 *     polynomial 0x1edc6f41, bits lowest first (reversed: 0x82f63b78), start and end inverted
 *     CRC of "123456789" = 0xe3069283
 *
 * It detects every error of one to three bits in a record, and every burst of up to 32 bits. The table has the
 * remainder of each byte. The remainder of a sum is the sum of the remainders, so eight constants, one per bit,
 * generate all 256.
 */
#include "codec/bytes.h"

#define BIT(i, bit, remainder) (((i) >> (bit)) & 1 ? (remainder) : 0u)
#define ENTRY(i)                                                                                                       \
    (BIT(i, 0, 0xf26b8303u) ^ BIT(i, 1, 0xe13b70f7u) ^ BIT(i, 2, 0xc79a971fu) ^ BIT(i, 3, 0x8ad958cfu) ^               \
     BIT(i, 4, 0x105ec76fu) ^ BIT(i, 5, 0x20bd8edeu) ^ BIT(i, 6, 0x417b1dbcu) ^ BIT(i, 7, 0x82f63b78u))
#define ENTRIES_4(i) ENTRY(i), ENTRY((i) + 1), ENTRY((i) + 2), ENTRY((i) + 3)
#define ENTRIES_16(i) ENTRIES_4(i), ENTRIES_4((i) + 4), ENTRIES_4((i) + 8), ENTRIES_4((i) + 12)
#define ENTRIES_64(i) ENTRIES_16(i), ENTRIES_16((i) + 16), ENTRIES_16((i) + 32), ENTRIES_16((i) + 48)

static const uint32_t REMAINDERS[256] = {ENTRIES_64(0), ENTRIES_64(64), ENTRIES_64(128), ENTRIES_64(192)};

uint32_t crc32_of(uint32_t crc, const uint8_t *bytes, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = REMAINDERS[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}
