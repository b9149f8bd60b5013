#!/bin/sh
# question_urls.sh - turns the requests of make_questions.sh, on standard input, into a list of URLs for curl:
# question_urls.sh ADDRESS
exec jq -rR --arg at "${1}api/" 'split("\t") | "url = \"" + $at + .[0] + "?" +
    ([.[1:] | _nwise(2) | .[0] + "=" + (.[1] | @uri)] | join("&")) + "\""'
