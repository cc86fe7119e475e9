/** Guards a list that comes in pages: one that leads back to a page before would never end, or look as if the rest were gone. */

import { fail } from "cairn-memory";

/** @returns what is called with the name of each page before it is asked for. @throws ServiceError `ADDRESS_CHANGED` for one that was named before */
export function neverTwice(service: string): (page: string) => void {
	const named = new Set<string>();
	return (page) => {
		if (named.has(page)) throw fail("ADDRESS_CHANGED", service, "its list leads back to a page before");
		named.add(page);
	};
}
