/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphics cards through EGL: opening, limits, exclusive use by one thread, and the store of compiled programs. */
#include "render/compute/device-private.h"
#include "render/compute/together-private.h"
#include "render/compute/tuning-private.h"

#include "recon/base/memory.h"
#include "recon/bp/nearest.h"
#include "render/offscreen.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stored_program {
  char *key; /* file name, a line feed, the defines */
  GLuint program;
} stored_program;

typedef enum { FAULT_NONE, FAULT_RESET, FAULT_SILENT, FAULT_CLOSED } fault;

struct ct_bp_device {
  ctgl_offscreen *context;
  pthread_mutex_t turn;
  ctgl_device_facts facts;
  stored_program *programs;
  size_t count;
  ctgl_tuning tuning;
  ctgl_meter meter;
  ctgl_omission omission;
  int sharers;         /* processes that have a part of its memory each; 0: this one alone */
  char complaint[256]; /* the driver's first error since entering; debug contexts only */
  bool tells_reset;    /* the driver says when it has reset the card */
  fault fault;         /* once there is one, the context is of no use any more */
  ct_bp_device *next;  /* of those that work together */
};

static const char *const fault_words[] = {
    [FAULT_RESET] = "was reset by its driver and has lost its work",
    [FAULT_SILENT] = "does not answer any more",
    [FAULT_CLOSED] = "cannot be used any more: its driver has closed it",
};

/* A fence is waited for in turns of a second; dispatches aim at a thirtieth of that. */
enum { TURN_NS = 1000000000, MOST_TURNS = 60 };
/* Of all memory, and of what is free. */
static const double most_of_all = 0.85, most_of_free = 0.95;

/* GL_NVX_gpu_memory_info, kilobytes; GL_ATI_meminfo, kilobytes of the largest free pool first. */
enum { NVX_TOTAL = 0x9047, NVX_AVAILABLE = 0x9049, ATI_TEXTURE_FREE = 0x87FC };

static int integer(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

static double memory_of(GLenum nvidia) {
  if (epoxy_has_gl_extension("GL_NVX_gpu_memory_info")) return 1024.0 * integer(nvidia);
  if (!epoxy_has_gl_extension("GL_ATI_meminfo")) return 0;
  GLint pools[4] = {0};
  glGetIntegerv(ATI_TEXTURE_FREE, pools);
  return 1024.0 * pools[0];
}

/* GL_KHR_shader_subgroup, whose names this epoxy does not have: size, stages, features; compute shaders, shuffles. */
enum {
  SUBGROUP_SIZE = 0x9532,
  SUBGROUP_STAGES = 0x9533,
  SUBGROUP_FEATURES = 0x9534,
  IN_COMPUTE = 0x20,
  SHUFFLES = 0x10
};

static bool can_shuffle(void) {
  return epoxy_has_gl_extension("GL_KHR_shader_subgroup") && integer(SUBGROUP_SIZE) >= 4 &&
         (integer(SUBGROUP_STAGES) & IN_COMPUTE) && (integer(SUBGROUP_FEATURES) & SHUFFLES);
}

static void read_facts(ctgl_device_facts *facts) {
  const char *name = (const char *)glGetString(GL_RENDERER), *version = (const char *)glGetString(GL_VERSION);
  snprintf(facts->name, sizeof facts->name, "%s", name ? name : "unnamed");
  snprintf(facts->driver, sizeof facts->driver, "%s", version ? version : "unknown");
  facts->software = strstr(facts->name, "llvmpipe") || strstr(facts->name, "softpipe") || strstr(facts->name, "SWR");
  facts->memory = facts->software ? (double)ct_memory_total() : memory_of(NVX_TOTAL);
  GLint64 block = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
  /* Buffer sizes are 32-bit integers in many a driver. */
  facts->storage_block = block > 0 ? (size_t)(block < 0x7fffffff ? block : 0x7fffffff) : 0;
  facts->texture_side = integer(GL_MAX_TEXTURE_SIZE);
  facts->texture_layers = integer(GL_MAX_ARRAY_TEXTURE_LAYERS);
  facts->texture_3d = integer(GL_MAX_3D_TEXTURE_SIZE);
  facts->shared_memory = integer(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
  facts->group_threads = integer(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
  facts->atomic_float = epoxy_has_gl_extension("GL_NV_shader_atomic_float");
  facts->persistent_map = epoxy_gl_version() >= 44 || epoxy_has_gl_extension("GL_ARB_buffer_storage");
  facts->shuffles = can_shuffle();
  facts->multiprocessor = epoxy_has_gl_extension("GL_NV_shader_thread_group") ? CTGL_MULTIPROCESSOR : NULL;
}

/* Called by the driver, in the thread that made the call, when the context is a debug one. */
static void GLAPIENTRY hear(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
                            const void *user) {
  ct_bp_device *device = (ct_bp_device *)user;
  if (type == GL_DEBUG_TYPE_ERROR && !*device->complaint)
    snprintf(device->complaint, sizeof device->complaint, "%.*s", (int)strcspn(text, "\r\n"), text);
}

static ct_bp_device *open_device(int index, bool debug, ct_error **error) {
  ct_bp_device *device = ct_alloc_zero(1, sizeof *device, "a graphics device", error);
  if (!device) return NULL;
  device->context = ctgl_offscreen_new_on(index, 4, 3, debug, error);
  if (device->context && ctgl_offscreen_make_current(device->context, error)) {
    pthread_mutex_init(&device->turn, NULL);
    read_facts(&device->facts);
    device->tells_reset = epoxy_gl_version() >= 45 || epoxy_has_gl_extension("GL_KHR_robustness");
    device->tuning = ctgl_tuning_guess();
    /* On an H100 the way of the projections takes ten times as long as their back-projection. */
    if (!device->facts.software && device->facts.persistent_map)
      device->tuning.modes[CTGL_TUNED_LINEAR].cone.streamed = device->tuning.modes[CTGL_TUNED_NEAREST].cone.streamed =
          1;
    if (debug) {
      glEnable(GL_DEBUG_OUTPUT);
      glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
      glDebugMessageCallback(hear, device);
    }
    ctgl_offscreen_make_current(NULL, NULL);
    return device;
  }
  ctgl_offscreen_free(device->context);
  ct_free(device);
  return NULL;
}

void ctgl_device_free(ct_bp_device *device) {
  if (!device) return;
  ctgl_device_free(device->next);
  if (ctgl_offscreen_make_current(device->context, NULL)) {
    for (size_t n = 0; n < device->count; n++) glDeleteProgram(device->programs[n].program);
    ctgl_meter_stop(&device->meter);
    ctgl_offscreen_make_current(NULL, NULL);
  }
  for (size_t n = 0; n < device->count; n++) ct_free(device->programs[n].key);
  ct_free(device->programs);
  ctgl_offscreen_free(device->context);
  pthread_mutex_destroy(&device->turn);
  ct_free(device);
}

typedef struct found {
  ctgl_device_facts facts;
  int index;
} found;

static int hardware_first(const void *a, const void *b) {
  const found *one = a, *other = b;
  return one->facts.software != other->facts.software ? one->facts.software - other->facts.software
                                                      : one->index - other->index;
}

/* Everything that opens; Mesa's surfaceless platform counts only where EGL lists no devices. `facts` is their list,
 * of *count, `places` where EGL has them; both are new (ct_free). */
static bool find_devices(ctgl_device_facts **facts, int **places, int *count, ct_error **error) {
  const int devices = ctgl_offscreen_devices();
  found *list = ct_alloc((size_t)devices + 1, sizeof *list, "the list of graphics devices", error);
  *count = 0;
  *facts = list ? ct_alloc((size_t)devices + 1, sizeof **facts, "the list of graphics devices", error) : NULL;
  *places = *facts ? ct_alloc((size_t)devices + 1, sizeof **places, "the list of graphics devices", error) : NULL;
  for (int n = devices ? 0 : CTGL_SURFACELESS; *places && n < devices; n++) {
    ct_bp_device *device = open_device(n, false, NULL);
    if (device) list[(*count)++] = (found){device->facts, n};
    ctgl_device_free(device);
  }
  if (*places) {
    qsort(list, (size_t)*count, sizeof *list, hardware_first);
    for (int n = 0; n < *count; n++) (*facts)[n] = list[n].facts, (*places)[n] = list[n].index;
    ctgl_device_number_twins(*facts, *count);
    ctgl_device_shorten_names(*facts, *count);
  } else {
    ct_free(*facts);
    *facts = NULL;
  }
  ct_free(list);
  return *facts;
}

bool ctgl_devices_list(ctgl_device_facts **list, int *count, ct_error **error) {
  int *places;
  const bool good = find_devices(list, &places, count, error);
  ct_free(places);
  return good;
}

static ct_bp_device *open_found(const ctgl_device_facts *facts, int place, bool debug, ct_error **error) {
  ct_bp_device *device = open_device(place, debug, error);
  if (device)
    memcpy(device->facts.name, facts->name, sizeof device->facts.name);
  else
    ct_error_prefix(error, "%s", facts->name);
  return device;
}

/* Opens those at `at`, of `count` places in the list; several work together. */
static ct_bp_device *open_together(const ctgl_device_facts *list, const int *places, const int *at, int count,
                                   bool debug, ct_error **error) {
  ct_bp_device *first = NULL, **end = &first;
  for (int n = 0; n < count; n++) {
    int sharers = 0;
    for (int m = 0; m < count; m++) sharers += at[m] == at[n];
    if (!(*end = open_found(&list[at[n]], places[at[n]], debug, error))) {
      ctgl_device_free(first);
      return NULL;
    }
    (*end)->sharers = sharers > 1 ? sharers : 0;
    end = &(*end)->next;
  }
  return first;
}

ct_bp_device *ctgl_device_new(const char *name, bool debug, ct_error **error) {
  int *places, count, at[CTGL_MOST_TOGETHER], meant = 0;
  ctgl_device_facts *list;
  if (!find_devices(&list, &places, &count, error)) return NULL;
  const bool good = ctgl_device_find_all(list, count, name, at, &meant, error);
  ct_bp_device *device = good ? open_together(list, places, at, meant, debug, error) : NULL;
  ct_free(list);
  ct_free(places);
  return device;
}

ct_bp_device *ctgl_device_next(const ct_bp_device *device) {
  return device->next;
}

ct_bp_device *ctgl_device_new_card(void) {
  const int devices = ctgl_offscreen_devices();
  for (int n = devices ? 0 : CTGL_SURFACELESS; n < devices; n++) {
    if (ctgl_offscreen_is_software(n)) continue;
    ct_bp_device *device = open_device(n, false, NULL);
    if (device && !device->facts.software) return device;
    ctgl_device_free(device);
  }
  return NULL;
}

bool ctgl_device_new_in_turn(const char *name, ctgl_turn turn, ct_bp_device **device, ct_error **error) {
  const bool any = !name || !strcmp(name, "auto");
  int *places, count, sharers;
  ctgl_device_facts *list;
  *device = NULL;
  if (!find_devices(&list, &places, &count, error)) return false;
  const bool several = !any && (!strcmp(name, CTGL_ALL_CARDS) || strstr(name, CTGL_JOINED));
  const int at = several ? ctgl_device_pick_of(list, count, name, turn, &sharers, error)
                         : ctgl_device_pick(list, count, name, turn, &sharers);
  if (at >= 0)
    *device = open_found(&list[at], places[at], false, any ? NULL : error);
  else if (!any && !several)
    ctgl_device_find(list, count, name, error); /* says what is here */
  if (*device) (*device)->sharers = sharers;
  ct_free(list);
  ct_free(places);
  return any || *device;
}

const ctgl_device_facts *ctgl_device_get_facts(const ct_bp_device *device) {
  return &device->facts;
}

void ctgl_device_omit(ct_bp_device *device, ctgl_omission omission) {
  for (; device; device = device->next) device->omission = omission;
}

ctgl_omission ctgl_device_omits(const ct_bp_device *device) {
  return device->omission;
}

ctgl_tuning *ctgl_device_tuning(ct_bp_device *device) {
  return &device->tuning;
}

static double free_memory(const ct_bp_device *device) {
  return device->facts.software ? (double)ct_memory_available() : memory_of(NVX_AVAILABLE);
}

double ctgl_device_room(const ct_bp_device *device) {
  const double all = most_of_all * device->facts.memory, unused = most_of_free * free_memory(device);
  const double room = unused > 0 && unused < all ? unused : all;
  return device->sharers > 1 ? fmin(room, all / device->sharers) : room;
}

ctgl_meter *ctgl_device_meter(ct_bp_device *device) {
  return &device->meter;
}

static bool tell_fault(const ct_bp_device *device, ct_error **error) {
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "The graphics device “%s” %s. Run again to open it anew, or go on with the processor (device “none”).",
      device->facts.name, fault_words[device->fault]);
}

void ctgl_device_forget(ct_bp_device *device) {
  device->complaint[0] = 0;
  ctgl_forget_errors();
}

bool ctgl_device_enter_to_delete(ct_bp_device *device) {
  pthread_mutex_lock(&device->turn);
  if (ctgl_offscreen_make_current(device->context, NULL)) {
    ctgl_device_forget(device);
    return true;
  }
  if (!device->fault) device->fault = FAULT_CLOSED;
  pthread_mutex_unlock(&device->turn);
  return false;
}

static void look_for_reset(ct_bp_device *device) {
  if (!device->fault && device->tells_reset && glGetGraphicsResetStatus() != GL_NO_ERROR) device->fault = FAULT_RESET;
}

bool ctgl_device_enter(ct_bp_device *device, ct_error **error) {
  if (!ctgl_device_enter_to_delete(device)) return tell_fault(device, error);
  look_for_reset(device);
  return !device->fault || ctgl_device_leave(device, false, "", error);
}

bool ctgl_device_check(ct_bp_device *device, const char *what, ct_error **error) {
  const GLenum code = ctgl_take_error();
  look_for_reset(device);
  if (!device->fault && code == GL_CONTEXT_LOST) device->fault = FAULT_RESET;
  if (device->fault) return tell_fault(device, error);
  if (code == GL_NO_ERROR) return true;
  if (code == GL_OUT_OF_MEMORY)
    return ct_error_set(
        error, CT_ERROR_MEMORY,
        "The memory of the graphics device is too small for %s. Close other programs that use it, choose fewer or "
        "larger voxels, or go on with the processor (device “none”).",
        what);
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The OpenGL driver reported error 0x%04x at %s. Choose another kernel, or go on with the "
                      "processor (device “none”).",
                      code, what);
}

bool ctgl_device_refuse(ct_bp_device *device, const char *what, ct_error **error) {
  return ctgl_device_check(device, what, error) &&
         ct_error_set(
             error, CT_ERROR_MEMORY,
             "The graphics driver has no memory for %s. Choose fewer or larger voxels, or go on with the processor "
             "(device “none”).",
             what);
}

bool ctgl_device_await(ct_bp_device *device, GLsync *fence) {
  if (!*fence) return true;
  GLenum answer = GL_TIMEOUT_EXPIRED;
  for (int turn = 0; !device->fault && answer == GL_TIMEOUT_EXPIRED && turn < MOST_TURNS; turn++) {
    answer = glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, TURN_NS);
    if (answer == GL_TIMEOUT_EXPIRED || answer == GL_WAIT_FAILED) look_for_reset(device);
  }
  if (!device->fault && (answer == GL_TIMEOUT_EXPIRED || answer == GL_WAIT_FAILED)) device->fault = FAULT_SILENT;
  glDeleteSync(*fence);
  *fence = NULL;
  return !device->fault;
}

bool ctgl_device_leave(ct_bp_device *device, bool good, const char *what, ct_error **error) {
  good = ctgl_device_check(device, what, error) && good;
  if (*device->complaint)
    good = ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver complained at %s: %s", what, device->complaint);
  ctgl_offscreen_make_current(NULL, NULL);
  pthread_mutex_unlock(&device->turn);
  return good;
}

#define TEXT_OF_VALUE(value) #value
#define TEXT_OF(name) TEXT_OF_VALUE(name)

static GLuint compile(const char *shader, const char *defines, ct_error **error) {
  const ctgl_shader_text *text = ctgl_compute_texts;
  while (text->name && strcmp(text->name, shader) != 0) text++;
  GLuint program = 0;
  if (text->name) {
    const GLchar *const parts[] = {"#version 430 core\n#define TIE " TEXT_OF(CT_BP_TIE) "\n", defines, text->text};
    program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 3, parts);
  }
  GLint good = GL_FALSE;
  if (program) glGetProgramiv(program, GL_LINK_STATUS, &good);
  if (good) return program;
  char log[512] = "it made no program";
  if (program) glGetProgramInfoLog(program, sizeof log, NULL, log);
  log[strcspn(log, "\r\n")] = 0;
  glDeleteProgram(program);
  ct_error_set(error, CT_ERROR_UNSUPPORTED,
               "The OpenGL driver refuses the shader %s (choose another kernel, or the processor: device “none”): %s",
               shader, log);
  return 0;
}

GLuint ctgl_device_program(ct_bp_device *device, const char *shader, const char *defines, ct_error **error) {
  char *key = ct_strprintf("%s\n%s", shader, defines);
  stored_program *grown = NULL;
  if (key) {
    for (size_t n = 0; n < device->count; n++)
      if (!strcmp(device->programs[n].key, key)) {
        ct_free(key);
        return device->programs[n].program;
      }
    grown = ct_alloc(device->count + 1, sizeof *grown, "the compiled shaders", error);
  } else {
    ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for a shader's name.");
  }
  const GLuint program = grown ? compile(shader, defines, error) : 0;
  if (!program) {
    ct_free(grown);
    ct_free(key);
    return 0;
  }
  if (device->count) memcpy(grown, device->programs, device->count * sizeof *grown);
  ct_free(device->programs);
  device->programs = grown;
  device->programs[device->count++] = (stored_program){key, program};
  return program;
}
