/*
 * crc32.h - CRC-32C, the checksum of a CMBR record.
 */
#ifndef TBY_CODEC_CRC32_H
#define TBY_CODEC_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `n` bytes that follow bytes with the checksum `crc` (0 at the beginning). */
uint32_t crc32_of(uint32_t crc, const uint8_t *bytes, size_t n);

#endif
