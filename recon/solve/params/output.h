/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Output, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(char format[CT_PLAN_TEXT], format, "output.format", "Format", "", "File format of saved volumes.",
         CT_SECTION_OUTPUT, CT_PLAN_FILE, TEXT("metaimage"))
CT_PARAM(int samples, samples, "output.samples", "Samples", "",
         "16-bit integers take half the space; the scale is stated in the file. Hounsfield units are whole numbers "
         "from 0 to "
         "4095, for scans that tell their scale (RabbitCT).",
         CT_SECTION_OUTPUT, CT_PLAN_FILE, CHOICE(ct_samples_choices), .fallback = 0)
CT_PARAM(double low, low, "output.low", "Black", "1/mm",
         "Value that becomes 0 in 16-bit files; automatic is the least of the volume.", CT_SECTION_OUTPUT, CT_PLAN_FILE,
         REAL(-1e9, 1e9, 0.01, 5), AUTO_REAL, .advanced = true, ONLY(samples, CT_BIT(CT_SAMPLES_UINT16)),
         .unfolds = CT_IF_ALWAYS)
CT_PARAM(double high, high, "output.high", "White", "1/mm",
         "Value that becomes 65535 in 16-bit files; automatic is the largest of the volume.", CT_SECTION_OUTPUT,
         CT_PLAN_FILE, REAL(-1e9, 1e9, 0.01, 5), AUTO_REAL, .advanced = true, ONLY(samples, CT_BIT(CT_SAMPLES_UINT16)),
         .unfolds = CT_IF_ALWAYS)
CT_PARAM(int compress, compress, "output.compress", "Compress", "", "Smaller files that take longer to write.",
         CT_SECTION_OUTPUT, CT_PLAN_FILE, BOOL, .fallback = 0)
