/** The option that names where a service is asked: its public address, a mirror of it, or one's own instance. */

import { z } from "zod";

/** `https://api.example` → the same without a slash at its end, so that paths can be put behind it. */
export function baseAddress(standard: string) {
	return z
		.url({ protocol: /^https?$/ })
		.transform((url) => url.replace(/\/+$/, ""))
		.default(standard);
}

/** Host names, in lower case, under which the service is known. */
export function hostNames(standard: readonly string[]) {
	return z.array(z.string().toLowerCase().min(1)).default([...standard]);
}
