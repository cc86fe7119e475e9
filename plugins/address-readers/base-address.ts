/** Options for a service's base URL (the public one, a mirror, or a private instance) and its host names. */

import { z } from "zod";

/** Removes a trailing slash, so that paths can be appended. */
export function baseUrl(standard: string) {
	return z
		.url({ protocol: /^https?$/ })
		.transform((url) => url.replace(/\/+$/, ""))
		.default(standard);
}

/** Host names, in lower case, under which the service is known. */
export function hostNames(standard: readonly string[]) {
	return z.array(z.string().toLowerCase().min(1)).default([...standard]);
}
