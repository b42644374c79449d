/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers about the result and its distance from the reference, as labels that can be selected and read out. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/warnings.h"
#include "recon/metric/metric.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_STATISTICS_PAGE (gantry_statistics_page_get_type())
G_DECLARE_FINAL_TYPE(GantryStatisticsPage, gantry_statistics_page, GANTRY, STATISTICS_PAGE, GtkWidget)

GtkWidget *gantry_statistics_page_new(void);
/* What the figures of the result are about, as their heading: "A, whole volume". */
void gantry_statistics_page_set_scope(GantryStatisticsPage *self, const char *scope);
/* Of values, "1/mm" at first: counts from the next figures on. The text is borrowed for good. */
void gantry_statistics_page_set_unit(GantryStatisticsPage *self, const char *unit);
/* Each may be NULL. */
void gantry_statistics_page_show(GantryStatisticsPage *self, const ct_statistics *a, const ct_metrics *against);
/* Lines of values that differ between A and B although nobody set them; NULL or empty: none. */
void gantry_statistics_page_set_differences(GantryStatisticsPage *self, const char *lines);
/* What makes the result's numbers doubtful; NULL: nothing. */
void gantry_statistics_page_set_warnings(GantryStatisticsPage *self, const ct_warnings *warnings);

G_END_DECLS
