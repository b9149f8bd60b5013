/*
 * pgn_html.c - games as one page of HTML that needs no other file: a list of games, a board, the moves.
 *
 * Every move has the board after it as an attribute, so the page needs no rules of chess: a click or an arrow key shows
 * that board, with the arrows and circles of its comments. The page opens where the query holds in the first game. After
 * a move with the NAG $220 there is a diagram. Without scripts the page still has all games as text. All text from the
 * games is escaped.
 */
#include "pgn_form.h"

#include <string.h>

static const char HEAD[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'\">\n"
    "<title>Games</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;margin:1rem;background:#faf7f2;color:#231f1c}\n"
    "main{display:flex;flex-wrap:wrap;gap:1rem}\n"
    "#board{flex:0 1 400px}#board svg{width:100%;height:auto}\n"
    "#games{flex:1 1 20rem;max-height:90vh;overflow:auto}\n"
    "h1{font-size:1.2rem;margin:0}h2{font-size:1rem;margin:1rem 0 0}h2+p{margin:0;color:#6b5c4d}\n"
    "a{color:inherit;text-decoration:none;cursor:pointer;padding:0 .1em}a:hover{background:#f2d43c66}\n"
    "a.on{background:#f2d43c}a.at{text-decoration:underline}.d{display:block}.d "
    "svg{width:15rem;height:auto}i{color:#3a6b35}.v{color:#6b5c4d}\n"
    "button{font-size:1rem;min-width:3em}\n</style>\n</head>\n<body>\n<main>\n<div id=\"board\">\n";

static const char MIDDLE[] = "<p><button data-go=\"first\" aria-label=\"First move\">|&lt;</button>\n"
                             "<button data-go=\"back\" aria-label=\"Back\">&lt;</button>\n"
                             "<button data-go=\"on\" aria-label=\"Forward\">&gt;</button>\n"
                             "<button data-go=\"last\" aria-label=\"Last move\">&gt;|</button>\n"
                             "<button data-go=\"flip\">turn</button></p>\n</div>\n<div id=\"games\">\n<h1>Games</h1>\n";

/* The pieces are uses of shapes in two groups of the drawing, white's and black's. */
static const char TAIL[] =
    "</div>\n</main>\n<script>\n'use strict';\n"
    "const svg=document.querySelector('#board svg'),groups=[...svg.querySelectorAll('use')].map(u=>u.parentNode);\n"
    "const white=groups[0],black=groups[groups.length-1];let now=null,flipped=false;\n"
    "function add(name,to,values){const e=document.createElementNS('http://www.w3.org/2000/svg',name);\n"
    "for(const k in values)e.setAttribute(k,values[k]);to.append(e);return e}\n"
    "function centre(s){const x=s.charCodeAt(0)-97,y=56-s.charCodeAt(1);\n"
    "return [40*(flipped?7-x:x)+20,40*(flipped?7-y:y)+20]}\n"
    "function marks(list){for(const m of [...svg.querySelectorAll('.m')])m.remove();\n"
    "for(const m of list?list.split(','):[]){const [a,b]=centre(m),[c,d]=centre(m.slice(2)),color='#'+m.slice(4);\n"
    "if(a===c&&b===d)add('circle',black.parentNode,{class:'m',cx:a,cy:b,r:17,fill:'none',stroke:color,'stroke-width':3}"
    ");\n"
    "else{const w=Math.atan2(d-b,c-a),p=(r,t)=>(c+r*Math.cos(w+t)).toFixed(1)+' '+(d+r*Math.sin(w+t)).toFixed(1);\n"
    "add('path',black.parentNode,{class:'m',d:'M'+a+' '+b+'L'+p(-12,0)+'M'+p(0,0)+'L'+p(-16,.5)+'L'+p(-16,-.5)+'Z',"
    "fill:color,stroke:color,'stroke-width':4,opacity:.8})}}}\n"
    "function draw(now){marks(now.dataset.s);const f=now.dataset.f;\n"
    "for(const u of [...svg.querySelectorAll('use')])u.remove();let x=0,y=0;\n"
    "for(const c of f){if(c==='/'){x=0;y++}else if(c>='0'&&c<='9')x+=+c;else{\n"
    "add('use',c<'a'?white:black,{href:'#tby-'+c.toLowerCase(),x:40*(flipped?7-x:x),y:40*(flipped?7-y:y)});x++}}\n"
    "svg.querySelectorAll('text').forEach((t,i)=>{t.textContent=i%2?'abcdefgh'[flipped?7-(i>>1):i>>1]:"
    "'87654321'[flipped?7-(i>>1):i>>1]})}\n"
    "function show(a){if(now)now.classList.remove('on');now=a;a.classList.add('on');\n"
    "a.scrollIntoView({block:'nearest'});draw(a)}\n"
    "function line(a){return [...a.parentNode.children].filter(n=>n.tagName==='A')}\n"
    "function go(what){if(what==='flip'){flipped=!flipped;if(now)draw(now);return}\n"
    "if(!now)return;const all=line(now),i=all.indexOf(now);\n"
    "const to={first:0,back:i-1,on:i+1,last:all.length-1}[what];\n"
    "if(all[to])show(all[to]);else if(what==='back'&&now.parentNode.className==='v'){\n"
    "let p=now.parentNode.previousElementSibling;while(p&&p.tagName!=='A')p=p.previousElementSibling;if(p)show(p)}}\n"
    "document.addEventListener('click',e=>{const a=e.target.closest('a[data-f]'),b=e.target.closest('button');\n"
    "if(a)show(a);else if(b)go(b.dataset.go)});\n"
    "document.addEventListener('keydown',e=>{const what={ArrowLeft:'back',ArrowRight:'on',Home:'first',End:'last',"
    "f:'flip'}[e.key];\nif(what){e.preventDefault();go(what)}});\n"
    "const first=document.querySelector('a.at')||document.querySelector('a[data-f]');if(first)show(first);\n"
    "</script>\n</body>\n</html>\n";

void html_text(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *name = s[i] == '&'   ? "&amp;"
                           : s[i] == '<' ? "&lt;"
                           : s[i] == '>' ? "&gt;"
                           : s[i] == '"' ? "&quot;"
                                         : NULL;
        if (name)
            buffer_string(out, name);
        else
            buffer_add(out, s + i, s[i] != '\0');
    }
}

static void add_string(buffer *out, const char *s) { html_text(out, s, strlen(s)); }

void html_begin(buffer *out)
{
    tby_setup start;
    tby_svg_options options = {.flags = TBY_DIAGRAM_COORDINATES, .check = TBY_NO_SQUARE};
    tby_setup_start(&start);
    buffer_string(out, HEAD);
    const size_t n = tby_svg_write(NULL, 0, &start.board, &options);
    char *room = buffer_room(out, n + 1);
    if (room) {
        tby_svg_write(room, n + 1, &start.board, &options);
        out->n += n;
    }
    buffer_string(out, MIDDLE);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static void add_placement(buffer *out, const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_add(out, fen, strcspn(fen, " "));
}

enum { ARROWS_MAX = 2 * TBY_COMMAND_MARKS };

static size_t arrows_of(tby_arrow arrows[ARROWS_MAX], const tby_game *game, tby_node node)
{
    const size_t n = tby_note_arrows(arrows, ARROWS_MAX, game, node);
    return n < ARROWS_MAX ? n : ARROWS_MAX;
}

void html_diagram(buffer *out, const tby_game *game, tby_node node, const tby_position *pos)
{
    tby_arrow arrows[ARROWS_MAX];
    tby_setup setup;
    tby_svg_options options = {.flags = TBY_DIAGRAM_COORDINATES, .check = TBY_NO_SQUARE, .arrows = arrows};
    options.n_arrows = arrows_of(arrows, game, node);
    tby_position_setup(&setup, pos);
    const size_t n = tby_svg_write(NULL, 0, &setup.board, &options);
    char *room = buffer_room(out, n + 1);
    if (room)
        out->n += tby_svg_write(room, n + 1, &setup.board, &options);
}

/* The attributes of a link to a position: the board, the arrows, and whether the query first holds there. */
static void write_link(buffer *out, const form_walker *w, tby_node node, const tby_position *pos)
{
    tby_arrow arrows[ARROWS_MAX];
    const size_t n = w->flags & TBY_PGN_NO_COMMENTS ? 0 : arrows_of(arrows, w->game, node);
    buffer_string(out, node == w->at ? "<a class=\"at\" data-f=\"" : "<a data-f=\"");
    add_placement(out, pos);
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%c%c%c%c%06x", i ? "," : "\" data-s=\"", 'a' + TBY_FILE(arrows[i].from),
                      '1' + TBY_RANK(arrows[i].from), 'a' + TBY_FILE(arrows[i].to), '1' + TBY_RANK(arrows[i].to),
                      (unsigned)arrows[i].rgb);
    buffer_string(out, "\">");
}

static void write_comment(form_walker *w, tby_node node)
{
    buffer text = {0};
    if (w->flags & TBY_PGN_NO_COMMENTS)
        return;
    tby_note_write_comment(w->game, node, buffer_sink, &text);
    if (text.n) {
        buffer_string(w->out, " <i>");
        html_text(w->out, text.s, text.n);
        buffer_string(w->out, "</i>");
    }
    buffer_free(&text);
}

enum { NAG_DIAGRAM = 220 };

static void write_move(form_walker *w, const tby_position *pos, tby_node node, bool needs_number)
{
    char san[TBY_SAN_SIZE] = "--", glyph[16];
    tby_position after = *pos;
    const tby_move m = tby_game_move(w->game, node);
    tby_line_play(&after, m);
    if (m != TBY_MOVE_NULL)
        tby_san_write(san, sizeof san, pos, m);
    buffer_string(w->out, "\n");
    write_link(w->out, w, node, &after);
    form_number(w->out, pos, needs_number);
    buffer_string(w->out, tby_position_side(pos) == TBY_WHITE || needs_number ? "&nbsp;" : "");
    add_string(w->out, san);
    bool has_diagram = false;
    for (size_t i = 0; !(w->flags & TBY_PGN_NO_NAGS) && i < tby_game_n_nags(w->game, node); i++) {
        const uint16_t nag = tby_game_nag(w->game, node, i);
        has_diagram |= nag == NAG_DIAGRAM;
        tby_nag_write(glyph, sizeof glyph, nag);
        add_string(w->out, nag == NAG_DIAGRAM ? "" : glyph);
    }
    buffer_string(w->out, "</a>");
    write_comment(w, node);
    if (has_diagram) {
        buffer_string(w->out, "<span class=\"d\">");
        html_diagram(w->out, w->game, node, &after);
        buffer_string(w->out, "</span>");
    }
}

static void open_variation(form_walker *w) { buffer_string(w->out, "\n<span class=\"v\">("); }
static void close_variation(form_walker *w) { buffer_string(w->out, ")</span>"); }

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static void write_head(buffer *out, const tby_game *game)
{
    static const char *const names[] = {"Event", "Site", "Date", "Round"};
    bool has_one = false;
    buffer_string(out, "<h2>");
    add_string(out, form_tag(game, "White"));
    buffer_string(out, " &ndash; ");
    add_string(out, form_tag(game, "Black"));
    buffer_printf(out, " %s</h2>\n<p>", tby_result_text(tby_game_result(game)));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = form_tag(game, names[i]);
        if (*value == '?')
            continue;
        buffer_string(out, has_one ? ", " : "");
        add_string(out, value);
        has_one = true;
    }
    buffer_string(out, "</p>\n");
}

void html_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    (void)name;
    form_walker w = {.out = out,
                     .game = game,
                     .at = ply < 0 ? TBY_NO_NODE : form_node_at(game, ply),
                     .flags = flags,
                     .move = write_move,
                     .open = open_variation,
                     .close = close_variation};
    if (!(flags & TBY_PGN_NO_TAGS))
        write_head(out, game);
    buffer_string(out, "<p>");
    write_link(out, &w, TBY_ROOT, tby_game_start(game));
    buffer_string(out, "&#9632;</a>");
    write_comment(&w, TBY_ROOT);
    form_walk(&w);
    buffer_printf(out, " %s</p>\n", tby_result_text(tby_game_result(game)));
}

void html_end(buffer *out) { buffer_string(out, TAIL); }
