/** Counts the searches of a service while they are under way, explained ones too. */

import type { Service } from "../../../core/service.ts";

/** Runs a search, for which the thread that ingests stops now and then. */
export type RunSearch = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** @param search absent if jobs run in this thread, or in another program */
export function withSearches(service: Service, search: RunSearch | undefined): Service {
	if (search === undefined) return service;
	return {
		...service,
		searchDocuments: (...asked) => search(() => service.searchDocuments(...asked)),
		searchMemories: (...asked) => search(() => service.searchMemories(...asked)),
		explainDocuments: (...asked) => search(() => service.explainDocuments(...asked)),
		explainMemories: (...asked) => search(() => service.explainMemories(...asked)),
	};
}
