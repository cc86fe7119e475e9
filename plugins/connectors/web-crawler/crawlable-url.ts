/** Normalises the URLs of pages, and rejects those that lead off the site or into loops. */

/** Longer URLs are usually generated, and the cursor has thousands of URLs. */
export const urlCharactersMax = 500;
const segmentsMax = 20;
/** How often a path segment may occur. `/a/b/a/b/a/b/…` comes from a relative link that leads back to its own page. */
const sameSegmentMax = 3;

/** Query parameters that do not change the page. */
const trackingParameter = /^(utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|mc_cid|mc_eid|_ga|_gl|igshid|phpsessid|jsessionid)$/i;
/** File extensions of images, media, programs and data. */
const notDocument =
	/\.(css|m?js|json|map|wasm|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|eot|otf|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|iso|apk|deb|rpm|jar|xml|rss|atom)$/i;

/** The normalised URL of a link; null if it leads off the site or to something that is no page. */
export function crawlableUrl(link: string, start: URL): string | null {
	const url = URL.parse(link);
	if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
	if (url.username !== "" || url.password !== "") return null;
	// A site that starts with https is never read over http.
	if (start.protocol === "https:" && url.protocol === "http:" && url.port === "") url.protocol = "https:";
	if (!isSameSite(url, start)) return null;
	url.hash = "";
	url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/gi, "");
	const ignored = [...url.searchParams.keys()].filter((name) => trackingParameter.test(name));
	for (const name of ignored) url.searchParams.delete(name);
	// Removes a `?` with nothing after it.
	if (url.search === "") url.search = "";
	return url.href.length <= urlCharactersMax && !notDocument.test(url.pathname) && !isCircular(url.pathname) ? url.href : null;
}

/** The same host, with `www.` or without, on the same port. */
export function isSameSite(url: URL, start: URL): boolean {
	return hostWithoutWww(url) === hostWithoutWww(start) && (url.port === start.port || (hasDefaultPort(url) && hasDefaultPort(start)));
}

function hostWithoutWww({ hostname }: URL): string {
	return hostname.replace(/\.$/, "").replace(/^www\./, "");
}

function hasDefaultPort({ port }: URL): boolean {
	return port === "";
}

function isCircular(path: string): boolean {
	const segments = path.split("/").filter((segment) => segment !== "");
	if (segments.length > segmentsMax) return true;
	const counts = new Map<string, number>();
	for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
	return [...counts.values()].some((count) => count > sameSegmentMax);
}

/** The pattern of a URL: its path and query without numbers and query values. `/calendar/2026/05?view=day` → `/calendar/#/#?view`. */
export function urlPattern(url: string): string {
	const { pathname, searchParams } = new URL(url);
	const names = [...new Set(searchParams.keys())].toSorted().join("&");
	return `${pathname.replace(/\d+/g, "#")}?${names}`;
}

/** How many URLs of a pattern are visited: few for calendars and filters, which are endless; more for numbered articles. */
export function samePatternMax(pattern: string): number {
	const isEndless = !pattern.endsWith("?") || pattern.split("#").length > 2;
	return isEndless ? 500 : 5_000;
}
