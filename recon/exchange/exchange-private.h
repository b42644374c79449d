/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CT_EXCHANGE_EXCHANGE_PRIVATE_H
#define CT_EXCHANGE_EXCHANGE_PRIVATE_H

#include "recon/exchange/exchange.h"

/* In the build that has it: joins MPI's ranks. */
ct_exchange *ct_exchange_join_mpi(ct_error **error);

#endif
