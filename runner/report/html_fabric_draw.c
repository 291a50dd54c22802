/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "report/html_fabric.h"

#define LISTED 20

static int by_place(const void *a, const void *b, void *nodes)
{
	const struct fabric_node *first = (struct fabric_node *)nodes + *(const size_t *)a;
	const struct fabric_node *second = (struct fabric_node *)nodes + *(const size_t *)b;
	int order;

	if (first->level != second->level)
		return first->level > second->level ? -1 : 1;
	order = strverscmp(first->name, second->name);
	return order ? order : (first->guid > second->guid) - (first->guid < second->guid);
}

static double width_of(const struct fabric_picture *picture)
{
	size_t most = 0;

	for (size_t i = 0, in = 0; i < picture->nboxes; i++) {
		in = i && picture->boxes[i].level == picture->boxes[i - 1].level ? in + 1 : 1;
		most = in > most ? in : most;
	}
	return most * 84.0 + 20;
}

/* Level by level from above; of a large fabric several nodes share a box. */
static void fold(struct fabric_picture *picture)
{
	AUTO_FREE size_t *order = xcalloc(picture->nnodes + 1, sizeof(*order));
	size_t in[10] = {0}, at[10] = {0}, most = picture->nnodes > FABRIC_NODES ? FABRIC_BOXES : FABRIC_NODES;

	picture->boxes = xcalloc(picture->nnodes + 1, sizeof(*picture->boxes));
	for (size_t i = 0; i < picture->nnodes; i++) {
		order[i] = i;
		in[picture->nodes[i].level]++;
	}
	qsort_r(order, picture->nnodes, sizeof(*order), by_place, picture->nodes);
	for (size_t i = 0; i < picture->nnodes; i++) {
		struct fabric_node *node = &picture->nodes[order[i]];
		size_t block = (in[node->level] + most - 1) / most;

		if (at[node->level]++ % block == 0)
			picture->boxes[picture->nboxes++] =
				(struct fabric_box){.first = order[i], .level = node->level};
		node->box = picture->nboxes - 1;
		picture->boxes[node->box].count++;
		picture->boxes[node->box].wrong += node->wrong;
	}
}

static void place(struct fabric_picture *picture, double width)
{
	for (size_t i = 0; i < picture->nboxes;) {
		size_t end = i;

		while (end < picture->nboxes && picture->boxes[end].level == picture->boxes[i].level)
			end++;
		for (size_t j = i; j < end; j++) {
			picture->boxes[j].x = 10 + (width - 20) * ((double)(j - i) + 0.5) / (double)(end - i);
			picture->boxes[j].y = 30 + 110.0 * (picture->levels - 1 - picture->boxes[j].level);
		}
		i = end;
	}
}

static void cables(struct html *html, const struct fabric_picture *picture)
{
	AUTO_FREE uint8_t *drawn = xcalloc(picture->nboxes * picture->nboxes + 1, 1);

	/* Those that are as they should be first: what is wrong lies on top. */
	for (int wrong = 0; wrong < 2; wrong++) {
		for (size_t i = 0; i < picture->ncables; i++) {
			const struct fabric_cable *cable = &picture->cables[i];
			size_t a = picture->nodes[cable->ends[0]].box, b = picture->nodes[cable->ends[1]].box;
			uint8_t *seen = &drawn[a < b ? a * picture->nboxes + b : b * picture->nboxes + a];

			if (cable->wrong != wrong || *seen & (1 << wrong))
				continue;
			*seen |= (uint8_t)(1 << wrong);
			html_draw(html, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
				  wrong ? "cable wrong" : "cable", picture->boxes[a].x, picture->boxes[a].y,
				  picture->boxes[b].x, picture->boxes[b].y);
		}
	}
}

static void box(struct html *html, const struct fabric_picture *picture, const struct fabric_box *box)
{
	const char *name = picture->nodes[box->first].name;
	AUTO_BUF struct buf line = {0}, cut = {0};
	size_t length;

	text_line(&line, name);
	length = text_cut(line.data, line.length, box->count > 1 ? 6 : 10);
	buf_add(&cut, line.data, length);
	buf_puts(&cut, length < line.length ? "…" : "");
	html_draw(html, "<g><rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"76\" height=\"22\" rx=\"%d\"/>",
		  box->level ? "switch" : "host", box->wrong ? " wrong" : "", box->x - 38, box->y - 11,
		  box->level ? 2 : 11);
	html_draw(html, "<text class=\"cell middle\" x=\"%.1f\" y=\"%.1f\">", box->x, box->y + 4);
	html_put(html, box->wrong ? "✗ " : "");
	html_text(html, cut.data);
	if (box->count > 1)
		html_printf(html, " +%zu", box->count - 1);
	html_put(html, "</text><title>");
	html_text(html, name);
	if (box->count > 1)
		html_printf(html, " and %zu more", box->count - 1);
	html_put(html, "</title></g>\n");
}

static void in_words(struct html *html, const struct fabric_picture *picture)
{
	size_t listed = 0;

	html_put(html, "<ul class=\"worst\">");
	for (size_t i = 0; i < picture->ncables && listed < LISTED; i++) {
		const struct fabric_cable *cable = &picture->cables[i];

		if (!cable->wrong)
			continue;
		listed++;
		html_put(html, "<li>✗ cable ");
		for (int e = 0; e < 2; e++) {
			html_text(html, picture->nodes[cable->ends[e]].name);
			html_printf(html, " port %lld", (long long)cable->ports[e]);
			html_put(html, e ? "</li>" : " – ");
		}
	}
	for (size_t i = 0; i < picture->nnodes && listed < LISTED; i++) {
		if (!picture->nodes[i].wrong)
			continue;
		listed++;
		html_put(html, "<li>✗ ");
		html_text(html, picture->nodes[i].name);
		html_put(html, "</li>");
	}
	html_put(html, listed ? "</ul>\n" : "<li>Nothing that is drawn was found to be wrong.</li></ul>\n");
}

void fabric_draw(struct html *html, struct fabric_picture *picture)
{
	AUTO_BUF struct buf view = {0}, across = {0};
	double width;

	fold(picture);
	width = width_of(picture);
	place(picture, width);
	buf_printf(&view, "0 0 %.0f %.0f", width, 110.0 * (picture->levels - 1) + 60);
	buf_printf(&across, "%.0f", width);
	html_put(html, "<section id=\"fabric\" aria-labelledby=\"fabric-h\"><h2 id=\"fabric-h\">Fabric</h2>\n<p>");
	html_printf(html, "%zu nodes, %zu cables, as ", picture->nnodes, picture->ncables);
	html_element(html, "code", NULL, picture->table->probe->name);
	html_put(html, " saw them.</p>\n<div class=\"wide\">");
	html_open(html, "svg", "class", "fabric", "role", "img", "aria-label",
		  "the fabric: hosts below, switches above", "width", across.data, "viewBox", view.data, NULL);
	html_put(html, "\n");
	cables(html, picture);
	for (size_t i = 0; i < picture->nboxes; i++)
		box(html, picture, &picture->boxes[i]);
	html_put(html, "</svg></div>\n");
	in_words(html, picture);
	html_put(html, "</section>\n");
}
