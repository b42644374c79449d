/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of vector.h in the vector extensions of GCC and Clang: 8 or 16 floats, without intrinsics. What the
 * extensions do not name (minimum, choice, masked load) is written element by element; compilers make single
 * instructions of it where the machine has them. */
#ifndef CT_SIMD_VECTOR_PORTABLE_H
#define CT_SIMD_VECTOR_PORTABLE_H

#define W CT_SIMD_WIDTH
typedef float vf __attribute__((vector_size(4 * W)));
typedef int vi __attribute__((vector_size(4 * W)));
typedef float vf_anywhere __attribute__((vector_size(4 * W), aligned(4), may_alias));
typedef vf floats;
typedef vi lanes;

/* Floats of the machine's own vectors. GCC splits sums and products of longer ones well, but takes comparisons,
 * choices, conversions and permutes of longer ones apart into elements: those are written part by part. */
#if defined(__clang__) || defined(__AVX512F__)
#define PART W
#elif defined(__AVX2__)
#define PART 8
#else
#define PART 4
#endif
enum { parts = W / PART };
typedef float part_f __attribute__((vector_size(4 * PART)));
typedef int part_i __attribute__((vector_size(4 * PART)));
typedef union split {
  vf f;
  vi i;
  part_f of[parts];
  part_i oi[parts];
} split;

CT_INLINE vf vload(const float *p) {
  return *(const vf_anywhere *)p;
}
/* For more than one use. */
CT_INLINE vf vload_kept(const float *p) {
  return vload(p);
}
CT_INLINE void vstore(float *p, vf a) {
  *(vf_anywhere *)p = a;
}
/* W numbers of binary16. Exponent and mantissa of a half are moved to their places in a float, whose exponent counts
 * from -127 instead of -15; infinity and what is not a number have the greatest exponent in both. */
typedef short shorts __attribute__((vector_size(2 * W)));
typedef short shorts_anywhere __attribute__((vector_size(2 * W), aligned(2), may_alias));
CT_INLINE vf vload_half(const void *p) {
  const split in = {.i = __builtin_convertvector((shorts) * (const shorts_anywhere *)p, vi)};
  split out;
  for (int n = 0; n < parts; n++) {
    const part_f size = (part_f)((in.oi[n] & 0x7fff) << 13) * 0x1p112f;
    out.oi[n] = (part_i)size | ((size >= 0x1p16f) & 0x7f800000) | (in.oi[n] & (int)0x80000000u);
  }
  return out.f;
}
/* GCC has no word for stores past the caches. */
CT_INLINE void vstream(float *p, vf a) {
  vstore(p, a);
}
CT_INLINE void vstream_end(void) {}
CT_INLINE vi vload_int(const int *p) {
  typedef int anywhere __attribute__((vector_size(4 * W), aligned(4), may_alias));
  return *(const anywhere *)p;
}
CT_INLINE vf vset(float a) {
  return a - (vf){0};
}
CT_INLINE vi viset(int a) {
  return a - (vi){0};
}
/* Contracted to one operation where the machine has it (-ffp-contract=fast). */
CT_INLINE vf vfma(vf a, vf b, vf c) {
  return a * b + c;
}
CT_INLINE vi vtrunc(vf a) {
  const split in = {.f = a};
  split out;
  for (int n = 0; n < parts; n++) out.oi[n] = __builtin_convertvector(in.of[n], part_i);
  return out.i;
}
CT_INLINE vf vfloat(vi a) {
  const split in = {.i = a};
  split out;
  for (int n = 0; n < parts; n++) out.of[n] = __builtin_convertvector(in.oi[n], part_f);
  return out.f;
}
CT_INLINE vi viadd(vi a, vi b) {
  return a + b;
}
/* a where the bit of index that `shift` moves to the sign is 0, b where it is 1. */
CT_INLINE vf vselect(vf a, vf b, vi index, int shift) {
  const split in_a = {.f = a}, in_b = {.f = b}, in_index = {.i = index};
  split out;
  for (int n = 0; n < parts; n++) {
    const part_i mask = (in_index.oi[n] << shift) < 0;
    out.oi[n] = (in_a.oi[n] & ~mask) | (in_b.oi[n] & mask);
  }
  return out.f;
}
/* Lane l: table[index[l] mod W]. */
CT_INLINE vf vlookup1(const vf t[1], vi index) {
#if !defined(__clang__) && W == PART
  return __builtin_shuffle(t[0], index);
#elif !defined(__clang__) && W == 8 && (defined(__ARM_NEON) || defined(__SSSE3__) || defined(__ALTIVEC__))
  /* Machines with vectors of 16 bytes permute two of them by bytes. */
  typedef unsigned char bytes __attribute__((vector_size(16)));
  const int first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0x03020100 : 0x00010203;
  const split table = {.f = t[0]}, in = {.i = index};
  split out;
  for (int n = 0; n < parts; n++) {
    const part_i places = (in.oi[n] & (W - 1)) * 0x04040404 + first;
    out.of[n] = (part_f)__builtin_shuffle((bytes)table.of[0], (bytes)table.of[1], (bytes)places);
  }
  return out.f;
#else
  vf out;
  index &= W - 1;
  for (int l = 0; l < W; l++) out[l] = t[0][index[l]];
  return out;
#endif
}
/* table[index mod 2 W], and so on. */
CT_INLINE vf vlookup2(const vf t[2], vi index) {
#if !defined(__clang__) && W == 16 && PART == 16
  return __builtin_shuffle(t[0], t[1], index);
#else
  return vselect(vlookup1(t, index), vlookup1(t + 1, index), index, W == 16 ? 27 : 28);
#endif
}
CT_INLINE vf vlookup3(const vf t[3], vi index) {
  return vselect(vlookup2(t, index), vlookup1(t + 2, index), index, W == 16 ? 26 : 27);
}
CT_INLINE vf vlookup4(const vf t[4], vi index) {
  return vselect(vlookup2(t, index), vlookup2(t + 2, index), index, W == 16 ? 26 : 27);
}
CT_INLINE vf vlane(void) {
  vf lane;
  for (int l = 0; l < W; l++) lane[l] = (float)l;
  return lane;
}
#ifdef __SSE2__
/* As the instructions of x86 define it, in the form that compilers recognise. */
#define CHOOSE(compare)                                                                                                \
  vf out;                                                                                                              \
  for (int l = 0; l < W; l++) out[l] = a[l] compare b[l] ? a[l] : b[l];                                                \
  return out
#else
#define CHOOSE(compare)                                                                                                \
  const split in_a = {.f = a}, in_b = {.f = b};                                                                        \
  split out;                                                                                                           \
  for (int n = 0; n < parts; n++) {                                                                                    \
    const part_i mask = in_a.of[n] compare in_b.of[n];                                                                 \
    out.oi[n] = (in_a.oi[n] & mask) | (in_b.oi[n] & ~mask);                                                            \
  }                                                                                                                    \
  return out.f
#endif
CT_INLINE vf vmax(vf a, vf b) {
  CHOOSE(>);
}
CT_INLINE vf vmin(vf a, vf b) {
  CHOOSE(<);
}
#undef CHOOSE
/* By masks: where loops around it are unrolled first, GCC leaves the form above in single numbers. */
CT_INLINE vf vclamp(vf a, vf low, vf high) {
  const split in = {.f = a}, in_low = {.f = low}, in_high = {.f = high};
  split out;
  for (int n = 0; n < parts; n++) {
    const part_i below = in.of[n] < in_low.of[n];
    const part_i above = in.of[n] > in_high.of[n];
    out.oi[n] = (in.oi[n] & ~(below | above)) | (in_low.oi[n] & below) | (in_high.oi[n] & above);
  }
  return out.f;
}
CT_INLINE vf vabs(vf a) {
  return (vf)((vi)a & 0x7fffffff);
}
CT_INLINE vf vreciprocal(vf a) {
  return 1 / a;
}
/* Lanes first <= l < end, the others zero; memory outside is not touched. */
CT_INLINE vf vload_between(const float *p, int first, int end) {
  float part[W] = {0};
  for (int l = 0; l < W; l++)
    if (l >= first && l < end) part[l] = p[l];
  return vload(part);
}
/* Eight floats, each of which is to fill a vector; binary16 ones are not negative and not subnormal. */
typedef float veight __attribute__((vector_size(32)));
CT_INLINE veight vload_eight(const void *p) {
  typedef float anywhere __attribute__((vector_size(32), aligned(4), may_alias));
  return *(const anywhere *)p;
}
/* Exponent and fraction of binary16 moved to their places in binary32 are 2^-112 of the number. */
CT_INLINE veight vload_eight_half(const void *p) {
  typedef unsigned short halves __attribute__((vector_size(16)));
  typedef unsigned words __attribute__((vector_size(32)));
  typedef unsigned short anywhere __attribute__((vector_size(16), aligned(2), may_alias));
  const halves h = *(const anywhere *)p;
  return (veight)(__builtin_convertvector(h, words) << 13) * 0x1p112f;
}
/* Number k, a constant after inlining, in all lanes. */
CT_INLINE vf vspread(veight a, int k) {
  return vset(a[k]);
}
#if W == 16
/* Number 2 k in the first eight lanes, 2 k + 1 in the others. */
CT_INLINE vf vspread_two(veight a, int k) {
  vf out;
  for (int l = 0; l < W; l++) out[l] = a[2 * k + l / 8];
  return out;
}
#endif

#endif
