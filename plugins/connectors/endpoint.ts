/** The URL of a service in a configuration, for a service other than the usual one. */

/** Whether it is an http or https URL without a user, a query or a fragment. */
export function isEndpoint(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
	return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}
