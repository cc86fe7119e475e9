/** The name of a fetched file, from the server's headers or otherwise from the URL. It is shown, never used as a path. */

import { limits } from "../../../core/model/limits.ts";

export function fetchedName(disposition: string | null, address: URL): string | null {
	return clean(disposition === null ? null : fileNameOf(disposition)) ?? clean(decode(address.pathname.split("/").at(-1) ?? ""));
}

/** `filename*=UTF-8''na%C3%AFve.pdf` takes precedence over `filename="naive.pdf"` (RFC 6266, section 4.3). */
function fileNameOf(disposition: string): string | null {
	const extended = /;\s*filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
	if (extended !== undefined) return decode(extended);
	const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
	if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
	return /;\s*filename\s*=\s*([^;\s"]+)/i.exec(disposition)?.[1] ?? null;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The last part of a path, without invisible and bidirectional control characters, and without leading dots. */
function clean(name: string | null): string | null {
	const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
	const cleaned = last
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "")
		.replace(/^[\s.]+|[\s.]+$/g, "")
		.slice(0, limits.fileNameCharactersMax);
	return cleaned === "" ? null : cleaned;
}
