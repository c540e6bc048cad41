/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots of one version become a calibration, and the calibration rows of the database.
 */
#ifndef CLI_CALIBRATED_H
#define CLI_CALIBRATED_H

#include "exchange/dataset.h"
#include "measure/schedule.h"
#include "report/calibration.h"

/* What was measured, as rows of a dataset; counts boots and, of an exact lab, odd ones.
 */
int calibrated_add_boots(const struct measurement *measurement, struct dataset *dataset,
			 struct calibration *calibration, struct error *err);

/*
 * Every series that the version has. ERROR_USAGE where a noisy one has too few boots to
 * tell anything. Borrows from the measurements.
 */
int calibrated_fill(const struct measurements *measurements, size_t version,
		    const struct verdict_policy *policy, struct calibration *calibration,
		    struct error *err);

/* Rows for each scenario, in the environment where it was measured. */
int calibrated_store(struct store *store, int64_t session, const struct measurement *work,
		     size_t count, const struct calibration *calibration,
		     struct error *err);
/* The same of a file: environments are those of "kregress import". */
int calibrated_store_import(struct store *store, int64_t session,
			    const struct measurements *measurements, size_t version,
			    const struct calibration *calibration, struct error *err);

#endif
