/*
 * json.h - members of JSON objects that several answers have. json_add of support/buffer.h writes the others.
 */
#ifndef TABIYA_ANSWERS_JSON_H
#define TABIYA_ANSWERS_JSON_H

#include "support/buffer.h"
#include "tabiya_value.h"

/* {"eco":STRING,"name":STRING}, or null if there is none. */
void json_opening(buffer *out, const char *name, const tby_opening *opening);
/* The numbers of games by tby_result, as four members. */
void json_results(buffer *out, const uint64_t results[4]);

#endif
