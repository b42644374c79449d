/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladder of GPU kernels for parallel beam after Chilingaryan et al. (2019): fetching through the texture unit
 * (section 5), caching and calculating (section 6), both at once (section 7). Each is a setting of parallel.comp,
 * most of them for 1, 2 and 4 slices at a time. */
#include "recon/geom/questions.h"
#include "render/compute/kernels-private.h"
#include "render/compute/parallel-private.h"
#include "render/compute/setting-macros-private.h"

CTGL_FAMILY(parallel)

#define SETTING(n, ...) CTGL_SETTING(parallel, n, __VA_ARGS__)
#define TEXTURE(v) .slices = v, .texture_share = 8, .threads = 256, .area = 16
#define SMALL(v) .slices = v, .threads = 256, .area = 32, .cached = 16, .curve = true
#define LARGE(v) .slices = v, .threads = 256, .area = 64, .cached = 8, .curve = true

SETTING(standard1, TEXTURE(1))
SETTING(standard2, TEXTURE(2))
SETTING(standard4, TEXTURE(4))
SETTING(curve1, TEXTURE(1), .curve = true)
SETTING(curve2, TEXTURE(2), .curve = true)
SETTING(curve4, TEXTURE(4), .curve = true)
SETTING(quarters1, TEXTURE(1), .curve = true, .quarters = true)
SETTING(quarters2, TEXTURE(2), .curve = true, .quarters = true)
SETTING(quarters4, TEXTURE(4), .curve = true, .quarters = true)
SETTING(cache1, SMALL(1))
SETTING(cache2, SMALL(2))
SETTING(cache4, SMALL(4))
SETTING(eight1, .slices = 1, .threads = 128, .area = 32, .cached = 8, .curve = true)
SETTING(wide1, LARGE(1))
SETTING(wide2, LARGE(2))
SETTING(wide4, LARGE(4))
SETTING(differences1, LARGE(1), .differences = true)
SETTING(columns1, LARGE(1), .differences = true, .columns = true)
SETTING(round1, LARGE(1), .differences = true, .columns = true, .float_round = true)
SETTING(round2, LARGE(2), .float_round = true)
SETTING(split2, LARGE(2), .arrays = 2)
SETTING(split4, LARGE(4), .arrays = 2)
SETTING(unrolled2, LARGE(2), .float_round = true, .unroll = 4)
SETTING(half2, LARGE(2), .half_cache = true)
SETTING(half4, LARGE(4), .half_cache = true)
SETTING(hybrid1, LARGE(1), .texture_share = 3, .differences = true)
SETTING(hybrid2, LARGE(2), .texture_share = 4)
SETTING(hybrid4, SMALL(4), .texture_share = 4)

#define COMMON(n) CTGL_FUNCTIONS(n), .geometry = CT_GEOMETRY_PARALLEL
#define BOTH CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR)
#define ANY BOTH | CT_BIT(CT_INTERP_OVERSAMPLED)
#define WHOLE CT_BIT(CT_PRECISION_FLOAT32)
#define HALF CT_BIT(CT_PRECISION_FLOAT16)
#define FETCHING(n) COMMON(n), .interps = BOTH, .precisions = WHOLE | HALF, .tolerance = CTGL_TEXTURE_TOLERANCE
#define CACHING(n) COMMON(n), .interps = ANY, .precisions = WHOLE | HALF, .tolerance = 1e-5

#define STANDARD "the texture unit finds and interpolates the bins (Chilingaryan et al. 2019, sections 5.1 to 5.3)."
#define CURVE                                                                                                          \
  "16 threads in turn make a square of 4 x 4 pixels along a Z-order curve, so that they fetch neighbouring bins "      \
  "(Chilingaryan et al. 2019, section 5.5)."
#define QUARTERS                                                                                                       \
  "Four views at a time, a quarter of the threads each with four pixels, so that a view's constants serve four "       \
  "times; "                                                                                                            \
  "the sums meet in shared memory (Chilingaryan et al. 2019, section 5.6)."
#define CACHE                                                                                                          \
  "The bins that 32 x 32 pixels need of 16 views are copied into shared memory, and the arithmetic units interpolate " \
  "there, where reads are quick (Chilingaryan et al. 2019, sections 6.1 to 6.3)."
#define WIDE                                                                                                           \
  "The cache serves 64 x 64 pixels, 16 to a thread: fewer bins are copied for each pixel, and a position is stepped "  \
  "from pixel to pixel (Chilingaryan et al. 2019, sections 6.2 and 6.9)."
#define SPLIT                                                                                                          \
  "The slices of a bin lie in two arrays of shared memory instead of one, so that no read is wider than its banks "    \
  "serve at once "                                                                                                     \
  "(Chilingaryan et al. 2019, section 6.3, and 7.2 for oversampling)."
#define HYBRID                                                                                                         \
  "Some groups fetch through the texture unit while the others calculate from their cache: both halves of the card "   \
  "work at once (Chilingaryan et al. 2019, section 7.1)."

/* clang-format off */
const ct_bp_kernel ctgl_bp_parallel[CTGL_PARALLEL_KERNELS] = {
    {FETCHING(standard1), .id = "gl-slices-1", .title = "GPU, one slice", .explanation = "One thread a pixel and slice; " STANDARD},
    {FETCHING(standard2), .id = "gl-slices-2", .title = "GPU, 2 slices",
     .explanation = "Two slices lie in the channels of one texture, so that one fetch serves both; " STANDARD},
    {FETCHING(standard4), .id = "gl-slices-4", .title = "GPU, 4 slices",
     .explanation = "Four slices lie in the channels of one texture, in half precision at the price of two; " STANDARD},
    {FETCHING(curve1), .id = "gl-curve-1", .title = "GPU, one slice along a curve", .explanation = CURVE},
    {FETCHING(curve2), .id = "gl-curve-2", .title = "GPU, 2 slices along a curve", .explanation = CURVE},
    {FETCHING(curve4), .id = "gl-curve-4", .title = "GPU, 4 slices along a curve", .explanation = CURVE},
    {FETCHING(quarters1), .id = "gl-quarters-1", .title = "GPU, one slice, four views at a time", .explanation = QUARTERS},
    {FETCHING(quarters2), .id = "gl-quarters-2", .title = "GPU, 2 slices, four views at a time", .explanation = QUARTERS},
    {FETCHING(quarters4), .id = "gl-quarters-4", .title = "GPU, 4 slices, four views at a time", .explanation = QUARTERS},
    {CACHING(cache1), .id = "gl-cache-1", .title = "GPU, one slice from a cache", .explanation = CACHE},
    {CACHING(cache2), .id = "gl-cache-2", .title = "GPU, 2 slices from a cache", .explanation = CACHE},
    {CACHING(cache4), .id = "gl-cache-4", .title = "GPU, 4 slices from a cache", .explanation = CACHE},
    {CACHING(eight1), .id = "gl-cache-8-pixels", .title = "GPU, one slice from a cache, 8 pixels a thread",
     .explanation = "128 threads make 32 x 32 pixels: each has eight independent sums to keep its arithmetic unit busy "
                    "(Chilingaryan et al. 2019, section 6.9)."},
    {CACHING(wide1), .id = "gl-wide-1", .title = "GPU, one slice from a wide cache", .explanation = WIDE},
    {CACHING(wide2), .id = "gl-wide-2", .title = "GPU, 2 slices from a wide cache", .explanation = WIDE},
    {CACHING(wide4), .id = "gl-wide-4", .title = "GPU, 4 slices from a wide cache", .explanation = WIDE},
    {CACHING(differences1), .id = "gl-differences", .title = "GPU, values and differences cached",
     .explanation = "Beside each bin the cache holds its difference to the next: one wide read and one operation less "
                    "for each pixel (Chilingaryan et al. 2019, section 6.4)."},
    {CACHING(columns1), .id = "gl-columns", .title = "GPU, columns' positions cached",
     .explanation = "The position of every column of pixels is found once for each view and kept in shared memory, h_x: "
                    "one multiplication is left for each pixel (Chilingaryan et al. 2019, section 6.8)."},
    {CACHING(round1), .id = "gl-round-1", .title = "GPU, rounding by addition",
     .explanation = "Adding 2^23 drops a number's fraction: rounding becomes arithmetic where conversions are slow "
                    "(Chilingaryan et al. 2019, section 6.6)."},
    {CACHING(round2), .id = "gl-round-2", .title = "GPU, 2 slices, rounding by addition",
     .explanation = "Adding 2^23 drops a number's fraction, for two slices at a time (Chilingaryan et al. 2019, section "
                    "6.6)."},
    {CACHING(split2), .id = "gl-split-2", .title = "GPU, 2 slices from two caches", .explanation = SPLIT},
    {CACHING(split4), .id = "gl-split-4", .title = "GPU, 4 slices from two caches", .explanation = SPLIT},
    {CACHING(unrolled2), .id = "gl-unrolled-2", .title = "GPU, 2 slices, loop written out",
     .explanation = "Four views of the inner loop are written out one after another: their reads of shared memory are on their way "
                    "together (Chilingaryan et al. 2019, section 6.9, the unrolling hint of their tables)."},
    {COMMON(half2), .interps = ANY, .precisions = HALF, .tolerance = 3e-4, .id = "gl-half-cache-2", .title = "GPU, 2 slices from a half-precision cache",
     .explanation = "The cache holds half-precision numbers, so that a read of shared memory brings both slices at once "
                    "(Chilingaryan et al. 2019, section 6.7)."},
    {COMMON(half4), .interps = ANY, .precisions = HALF, .tolerance = 3e-4, .id = "gl-half-cache-4", .title = "GPU, 4 slices from a half-precision cache",
     .explanation = "The cache holds half-precision numbers, four slices to a read of 64 bits (Chilingaryan et al. 2019, "
                    "section 6.7)."},
    {FETCHING(hybrid1), .id = "gl-hybrid-1", .title = "GPU, one slice, two ways at once", .explanation = HYBRID},
    {FETCHING(hybrid2), .id = "gl-hybrid-2", .title = "GPU, 2 slices, two ways at once", .explanation = HYBRID},
    {FETCHING(hybrid4), .id = "gl-hybrid-4", .title = "GPU, 4 slices, two ways at once", .explanation = HYBRID},
};
/* clang-format on */
