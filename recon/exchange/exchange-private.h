/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CT_EXCHANGE_EXCHANGE_PRIVATE_H
#define CT_EXCHANGE_EXCHANGE_PRIVATE_H

#include "recon/exchange/exchange.h"

/* In the build that has it: joins MPI's ranks. An error where MPI knows of one although `launched` were started. */
ct_exchange *ct_exchange_join_mpi(int launched, ct_error **error);

/* In that build: which MPI it is. */
extern const char ct_exchange_mpi_title[];

#endif
