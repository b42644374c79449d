/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of vector.h in the vector extensions of GCC and Clang: 8 or 16 floats, without intrinsics. What the
 * extensions do not name (minimum, choice, masked load) is written element by element; compilers make single
 * instructions of it where the machine has them. */
#ifndef CT_BP_ISA_VECTOR_PORTABLE_H
#define CT_BP_ISA_VECTOR_PORTABLE_H

#define W CT_ISA_PORTABLE
typedef float vf __attribute__((vector_size(4 * W)));
typedef int vi __attribute__((vector_size(4 * W)));
typedef float vf_anywhere __attribute__((vector_size(4 * W), aligned(4), may_alias));
typedef vf floats;
typedef vi lanes;

CT_INLINE vf vload(const float *p) {
  return *(const vf_anywhere *)p;
}
CT_INLINE void vstore(float *p, vf a) {
  *(vf_anywhere *)p = a;
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
  return __builtin_convertvector(a, vi);
}
CT_INLINE vf vfloat(vi a) {
  return __builtin_convertvector(a, vf);
}
CT_INLINE vi viadd(vi a, vi b) {
  return a + b;
}
/* a where the bit of index that `shift` moves to the sign is 0, b where it is 1. */
CT_INLINE vf vselect(vf a, vf b, vi index, int shift) {
  const vi mask = (index << shift) < 0;
  return (vf)(((vi)a & ~mask) | ((vi)b & mask));
}
/* Lane l: table[index[l] mod W]. */
CT_INLINE vf vlookup1(const vf t[1], vi index) {
#ifdef __clang__
  vf out;
  index &= W - 1;
  for (int l = 0; l < W; l++) out[l] = t[0][index[l]];
  return out;
#else
  return __builtin_shuffle(t[0], index);
#endif
}
/* table[index mod 2 W], and so on. */
CT_INLINE vf vlookup2(const vf t[2], vi index) {
#if !defined(__clang__) && W == 16
  return __builtin_shuffle(t[0], t[1], index);
#else
  return vselect(vlookup1(t, index), vlookup1(t + 1, index), index, W == 16 ? 27 : 28);
#endif
}
CT_INLINE vf vlookup4(const vf t[4], vi index) {
  return vselect(vlookup2(t, index), vlookup2(t + 2, index), index, W == 16 ? 26 : 27);
}
CT_INLINE vf vlane(void) {
  vf lane;
  for (int l = 0; l < W; l++) lane[l] = (float)l;
  return lane;
}
CT_INLINE vf vmax(vf a, vf b) {
  vf out;
  for (int l = 0; l < W; l++) out[l] = a[l] > b[l] ? a[l] : b[l];
  return out;
}
CT_INLINE vf vmin(vf a, vf b) {
  vf out;
  for (int l = 0; l < W; l++) out[l] = a[l] < b[l] ? a[l] : b[l];
  return out;
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

#endif
