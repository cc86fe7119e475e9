/** The quota of requests of each organisation. It is read again after a second, not for every request. */

import type { OrganisationId } from "../../core/model/id.ts";
import type { AccountStore } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";

const knownForMs = 1_000;
/** All are forgotten when there are more. */
const organisationsMax = 10_000;

interface Known {
	readonly requestsPerMinute: Promise<number | null>;
	readonly until: number;
}

/** @returns a function that returns how many requests a minute are allowed; null for no limit */
export function createRequestQuota(
	{ organisationAccount }: Pick<AccountStore, "organisationAccount">,
	{ elapsedMs }: Pick<World, "elapsedMs">,
): (organisation: OrganisationId) => Promise<number | null> {
	const known = new Map<OrganisationId, Known>();
	return (organisation) => {
		const now = elapsedMs();
		const read = known.get(organisation);
		if (read !== undefined && now < read.until) return read.requestsPerMinute;
		if (known.size >= organisationsMax) known.clear();
		const requestsPerMinute = organisationAccount(organisation).then((account) => account?.quotas.requestsPerMinute ?? null);
		known.set(organisation, { requestsPerMinute, until: now + knownForMs });
		requestsPerMinute.catch(() => known.delete(organisation));
		return requestsPerMinute;
	};
}
