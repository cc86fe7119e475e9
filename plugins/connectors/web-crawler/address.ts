/** Normalises the addresses of pages, and rejects those that lead off the site or into loops. */

/** Longer addresses are generated. The cursor has thousands of addresses. */
export const addressCharactersMax = 500;
const partsMax = 20;
/** `/a/b/a/b/a/b/…` is a relative link that leads back to itself. */
const sameParts = 3;

const tracking = /^(utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|mc_cid|mc_eid|_ga|_gl|igshid|phpsessid|jsessionid)$/i;
/** Extensions of images, media and programs. */
const noDocument =
	/\.(css|m?js|json|map|wasm|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|eot|otf|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|iso|apk|deb|rpm|jar|xml|rss|atom)$/i;

/** Null for an address off the site, or that is no page. */
export function pageAddress(link: string, start: URL): string | null {
	const url = URL.parse(link);
	if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
	if (url.username !== "" || url.password !== "") return null;
	// A site that starts with https is never read over http.
	if (start.protocol === "https:" && url.protocol === "http:" && url.port === "") url.protocol = "https:";
	if (!isSameSite(url, start)) return null;
	url.hash = "";
	url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/gi, "");
	const tracked = [...url.searchParams.keys()].filter((name) => tracking.test(name));
	for (const name of tracked) url.searchParams.delete(name);
	if (url.search === "") url.search = "";
	return url.href.length <= addressCharactersMax && !noDocument.test(url.pathname) && !isCircular(url.pathname) ? url.href : null;
}

/** The same host, with `www.` or without, on the same port. */
export function isSameSite(url: URL, start: URL): boolean {
	return bareHost(url) === bareHost(start) && (url.port === start.port || (isUsual(url) && isUsual(start)));
}

function bareHost({ hostname }: URL): string {
	return hostname.replace(/\.$/, "").replace(/^www\./, "");
}

function isUsual({ port }: URL): boolean {
	return port === "";
}

function isCircular(path: string): boolean {
	const parts = path.split("/").filter((part) => part !== "");
	if (parts.length > partsMax) return true;
	const counts = new Map<string, number>();
	for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
	return [...counts.values()].some((count) => count > sameParts);
}

/** The pattern of an address, without numbers and query values: `/calendar/2026/05?view=day` → `/calendar/#/#?view`. */
export function addressPattern(address: string): string {
	const { pathname, searchParams } = new URL(address);
	const names = [...new Set(searchParams.keys())].toSorted().join("&");
	return `${pathname.replace(/\d+/g, "#")}?${names}`;
}

/** How many addresses of a pattern are visited: few of calendars and filters, which are endless; more of numbered articles. */
export function samePatternMax(pattern: string): number {
	const isEndless = !pattern.endsWith("?") || pattern.split("#").length > 2;
	return isEndless ? 500 : 5_000;
}
