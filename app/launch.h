/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reconstruction by several processes that a launcher starts (mpirun, srun, ...): its command line from a template,
 * its start, and what its lines tell of how far it is. */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

typedef struct {
  const char *command;          /* the template, as a user types it */
  int processes, threads;       /* threads of each; 0: as the launcher and the program share them out */
  const char *program;          /* path of gantry-cli */
  const char *const *arguments; /* of gantry-cli reconstruct, NULL at the end */
} GantryLaunch;

/* The words to run (g_strfreev): the template is taken apart as a shell would take it, without one, then filled in.
 * {processes}, {threads} (automatic: 1) and {program} stand for these anywhere; {arguments} alone becomes as many words
 * as there are. Inside a longer word with spaces, which is a line for another shell (ssh, sh -c), what is filled in is
 * quoted for that. NULL with an error that says what of the template is wrong. */
char **gantry_launch_dup_words(const GantryLaunch *launch, GError **error);
/* The words as one would type them (g_free). */
char *gantry_launch_dup_line(const char *const *words);
/* Whether the template asks for the gantry-cli of this machine. */
gboolean gantry_launch_names_program(const char *command);

/* Starts the words in a process group of their own, stdout and stderr in one pipe: kill(-*group, ...) reaches all that
 * is left of it on this machine, the launcher itself ended or not. NULL: error. */
GSubprocess *gantry_launch_start(const char *const *words, pid_t *group, GError **error);

/* gantry-cli beside this program, as it is built and installed, else on the path (g_free); NULL: nowhere. */
char *gantry_launch_find_program(void);
/* From what gantry-cli --version prints. */
gboolean gantry_launch_has_mpi(const char *version);

/* What was read so far of stdout and stderr of the job. */
typedef struct _GantryLaunchLog GantryLaunchLog;
GantryLaunchLog *gantry_launch_log_new(void);
void gantry_launch_log_free(GantryLaunchLog *log);
/* One line, without its end; sequences for terminals are dropped. TRUE: it tells how far the job is. */
gboolean gantry_launch_log_read(GantryLaunchLog *log, const char *line);
/* The last line that told how far it is, NULL: none did; and which part of the whole is done, below 0: unknown. */
const char *gantry_launch_log_get_stand(const GantryLaunchLog *log);
double gantry_launch_log_get_part(const GantryLaunchLog *log);
/* The program's own messages; where it had none, what else was said, as of the launcher. "" where nothing was (g_free).
 */
char *gantry_launch_log_dup_messages(const GantryLaunchLog *log);
/* Everything but messages and progress: the summary of the volume (g_free). */
char *gantry_launch_log_dup_summary(const GantryLaunchLog *log);

G_END_DECLS
