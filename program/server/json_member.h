/*
 * json_member.h - one member of a JSON object.
 */
#ifndef TABIYA_SERVER_JSON_MEMBER_H
#define TABIYA_SERVER_JSON_MEMBER_H

#include "server.h"

/* Adds the text of a member (a string, a whole number, true or false as 1 and 0) and a NUL. False if there is none. */
bool json_member(buffer *out, span object, const char *name);

#endif
