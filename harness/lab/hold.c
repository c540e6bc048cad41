/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/hold.h"

#include <stdlib.h>

void lab_hold_finish(struct lab_hold *hold)
{
	for (size_t i = 0; i < hold->claim_count; i++)
		disk_claim_release(&hold->claims[i]);
	free(hold->claims);
	free(hold->disks);
	free(hold->pci);
	*hold = (struct lab_hold){0};
}
