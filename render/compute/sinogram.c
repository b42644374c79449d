/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making compound sinograms on the card. */
#include "render/compute/sinogram-private.h"

#include "recon/base/memory.h"
#include "recon/bp/nearest.h"
#include "recon/bp/support.h"

#include <math.h>
#include <stdio.h>

enum { VIEWS = 1, ROWS = 2, PIXELS = 0, COUNT = 1, FIRST = 2, WHOLE = 3, SCALE = 4, STARTS = 5, GROUP = 64 };

static int oversample_of(const ct_bp_request *request) {
  return request->interp == CT_INTERP_OVERSAMPLED ? CTGL_OVERSAMPLE : 1;
}

int ctgl_sinogram_width(const ct_bp_request *request) {
  const int n = oversample_of(request), nu = request->geometry->nu;
  return n > 1 ? n * (nu + 1) + 1 : nu;
}

static int bytes_of(const ct_bp_request *request) {
  return request->precision == CT_PRECISION_FLOAT16 ? 2 : 4;
}

double ctgl_sinogram_bytes(const ct_bp_request *request, int width, int per_layer, int slices) {
  const int layers = (slices + per_layer - 1) / per_layer;
  return (double)width * CTGL_MATRICES * layers * per_layer * bytes_of(request);
}

bool ctgl_sinogram_init(ctgl_sinogram *sinogram, const ct_bp_request *request, int width, int per_layer, int slices,
                        bool linear, ct_error **error) {
  static const GLenum formats[2][3] = {{GL_R32F, GL_RG32F, GL_RGBA32F}, {GL_R16F, GL_RG16F, GL_RGBA16F}};
  static const char *const names[2][3] = {{"r32f", "rg32f", "rgba32f"}, {"r16f", "rg16f", "rgba16f"}};
  const int half = request->precision == CT_PRECISION_FLOAT16, kind = per_layer / 2;
  *sinogram = (ctgl_sinogram){.per_layer = per_layer,
                              .oversample = oversample_of(request),
                              .whole = ctgl_sinogram_width(request),
                              .width = width,
                              .views = CTGL_MATRICES,
                              .layers = (slices + per_layer - 1) / per_layer,
                              .format = formats[half][kind]};
  char defines[128];
  snprintf(defines, sizeof defines,
           "#define SLICES %d\n#define OVERSAMPLE %d\n#define VIEWS %d\n#define FORMAT %s\n#define HALF %d\n",
           per_layer, sinogram->oversample, sinogram->views, names[half][kind], half);
  sinogram->program = ctgl_device_program(request->device, "sinogram.comp", defines, error);
  if (!sinogram->program) return false;
  const GLint filter = linear ? GL_LINEAR : GL_NEAREST;
  const GLfloat nothing[4] = {0};
  glGenTextures(1, &sinogram->texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, sinogram->texture);
  glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, sinogram->format, sinogram->width, sinogram->views, sinogram->layers);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, nothing);
  glGenBuffers(1, &sinogram->rows);
  return ctgl_device_check(request->device, "the sinograms", error);
}

void ctgl_sinogram_clear(ctgl_sinogram *sinogram) {
  if (sinogram->texture) glDeleteTextures(1, &sinogram->texture);
  if (sinogram->rows) glDeleteBuffers(1, &sinogram->rows);
  *sinogram = (ctgl_sinogram){0};
}

/* Detector row and weight of each slice: v is affine in k and the same in every view. */
static bool send_rows(ctgl_sinogram *sinogram, const ct_bp_request *request, int k, int slices, ct_error **error) {
  float *rows = ct_alloc((size_t)slices * 2, sizeof *rows, "the rows of the slices", error);
  if (!rows) return false;
  double m[12];
  ct_bp_index_matrix(request->geometry, 0, &request->grid, m);
  for (int n = 0; n < slices; n++) {
    double v = m[6] * (k + n) + m[7];
    if (request->interp == CT_INTERP_NEAREST) v = ct_bp_nearest(v, 1);
    if (request->interp == CT_INTERP_OVERSAMPLED) v = ct_bp_nearest(v, CTGL_OVERSAMPLE);
    /* Rows far outside see nothing, and stay within the numbers that a shader's integer holds. */
    v = fmin(fmax(v, -2), request->geometry->nv);
    rows[2 * n] = (float)floor(v);
    rows[2 * n + 1] = (float)(v - floor(v));
  }
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, sinogram->rows);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)((size_t)slices * 2 * sizeof *rows), rows, GL_STREAM_DRAW);
  ct_free(rows);
  return true;
}

bool ctgl_sinogram_make(ctgl_sinogram *sinogram, const ct_bp_request *request, const ctgl_sinogram_part *part,
                        ctgl_pace *pace, const ct_job *job, ct_error **error) {
  const ctgl_views *views = part->views;
  const int count = part->count, slices = part->slices;
  if (!send_rows(sinogram, request, part->k, slices, error)) return false;
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, VIEWS, views->object);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, ROWS, sinogram->rows);
  glBindImageTexture(0, sinogram->texture, 0, GL_TRUE, 0, GL_WRITE_ONLY, sinogram->format);
  glUseProgram(sinogram->program);
  glUniform2i(PIXELS, views->nu, views->nv);
  glUniform1i(COUNT, slices);
  glUniform1i(WHOLE, sinogram->whole);
  glUniform1f(SCALE, views->scale);
  glUniform1iv(STARTS, count, part->starts);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  ctgl_boxes boxes = {.across = (sinogram->width + GROUP - 1) / GROUP,
                      .down = count,
                      .layers = (slices + sinogram->per_layer - 1) / sinogram->per_layer};
  bool answered = true;
  pace->work = CTGL_WORK_MAKING_READY;
  while (answered && !ct_bp_stopped(job) && ctgl_boxes_next(&boxes, pace)) {
    glUniform3i(FIRST, boxes.x, boxes.y, boxes.z);
    answered = ctgl_boxes_send(&boxes, pace);
  }
  pace->work = CTGL_WORK_ADDING;
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  return answered;
}
