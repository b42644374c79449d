/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colour tables of render/colour-tables.c. */
#ifndef CTGL_COLOUR_MAP_PRIVATE_H
#define CTGL_COLOUR_MAP_PRIVATE_H

extern const unsigned char ctgl_table_grey[256][3];
extern const unsigned char ctgl_table_viridis[256][3];
extern const unsigned char ctgl_table_inferno[256][3];
extern const unsigned char ctgl_table_cividis[256][3];
extern const unsigned char ctgl_table_blue_white_red[256][3];
extern const unsigned char ctgl_table_blue_black_orange[256][3];

#endif
