/*
 * fuzz_tree.c - the text of a node that can be read is written byte for byte.
 */
#include "support.h"

#include "tabiya_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_failure failure;
    memory back = {0};
    size_t line = 0;
    tby_tree_text *text = tby_tree_text_new();
    require(text != NULL);
    const tby_tree_node *node;
    const tby_status status = tby_tree_text_read(&node, &line, text, (const char *)data, size, &failure);
    require(line >= 1);
    require((status == TBY_OK) == (node != NULL));
    if (node) {
        require(tby_tree_node_write(node, to_memory, &back));
        require(back.n == size && memcmp(back.s, data, size) == 0);
        tby_tree_marks_of(&node->pos);
    } else {
        require(status == TBY_INVALID_TREE && failure.text[0] != '\0');
    }
    free(back.s);
    tby_tree_text_free(text);
    return 0;
}
