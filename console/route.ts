/** The page that the address names: `#/documents/abc?chunk=3`. What stands after `#` is never sent to the server. */

import { useSyncExternalStore } from "react";

export interface Route {
	/** `documents`, `abc` */
	readonly path: readonly string[];
	readonly query: URLSearchParams;
}

export function useRoute(): Route {
	const hash = useSyncExternalStore(watch, () => location.hash);
	const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
	return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** An address that somebody has typed may be no proper one. */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function watch(changed: () => void): () => void {
	addEventListener("hashchange", changed);
	return () => removeEventListener("hashchange", changed);
}

/** `to("documents", id)` → `#/documents/…` */
export function to(...path: readonly string[]): string {
	return `#/${path.map(encodeURIComponent).join("/")}`;
}

export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
	const entries = Object.entries(query).filter(([, value]) => value !== "");
	return entries.length === 0 ? address : `${address}?${new URLSearchParams(entries)}`;
}

export function go(address: string): void {
	location.hash = address;
}
