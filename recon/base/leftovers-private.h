/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of temporary files and folders that tell which process they belong to, and removing those that a process left
 * behind when it was killed. A lock on the file would not do: where locks go over the network they would keep HDF5 from
 * locking it for itself. */
#ifndef CT_BASE_LEFTOVERS_PRIVATE_H
#define CT_BASE_LEFTOVERS_PRIVATE_H

#include <stddef.h>

enum { CT_LEFTOVER_NAME = 96 };

/* ".gantry-MACHINE-PROCESS-START-TAG.tmp", a name that no other process gives, and none was given before. */
void ct_leftovers_name(char name[CT_LEFTOVER_NAME]);
/* Removes from a folder what has such a name, belongs to this user, was made on this machine by a process that is no
 * more, and was last changed ten minutes ago or earlier. Says nothing: what cannot be removed stays. */
void ct_leftovers_remove(const char *folder);
/* The files of a folder, but not folders inside, and the folder; relative to a folder's descriptor. */
void ct_leftovers_remove_folder(int at, const char *path);

#endif
