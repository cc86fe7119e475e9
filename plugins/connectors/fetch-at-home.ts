/** Fetches from one host only: a redirect is followed while it stays on the host of the first address, and never from https to http. */

import type { Fetched, FetchOptions, Host } from "cairn-memory";
import { patientFetch } from "./patient-fetch.ts";

const redirects: readonly number[] = [301, 302, 303, 307, 308];
const redirectsMax = 5;

/** Each hop is a request of its own with all headers, so they have to stay on the host. @returns null if it leads elsewhere, or in a circle */
export async function fetchAtHome(address: string, options: FetchOptions, host: Pick<Host, "fetch" | "world">): Promise<Fetched | null> {
	const home = new URL(address);
	let url = home;
	for (let hops = 0; hops <= redirectsMax; hops++) {
		const fetched = await patientFetch(url.href, { ...options, answers: [...redirects, ...(options.answers ?? [])] }, host);
		if (!redirects.includes(fetched.status)) return fetched;
		const next = URL.parse(fetched.headers.get("location") ?? "", url);
		if (next === null || !isAtHome(next, url) || !isAtHome(next, home)) return null;
		url = next;
	}
	return null;
}

/** The same host, with `www.` or without, on the same port; https is not left for http. */
export function isAtHome(url: URL, home: URL): boolean {
	if (url.username !== "" || url.password !== "" || nameOf(url) !== nameOf(home) || url.port !== home.port) return false;
	return url.protocol === home.protocol || (url.protocol === "https:" && home.protocol === "http:");
}

function nameOf({ hostname }: URL): string {
	return hostname.replace(/\.$/, "").replace(/^www\./, "");
}
