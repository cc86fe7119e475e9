/** Cleans what a source says about itself: malformed or overlong values are left out. */

import type { About } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";

const nameCharactersMax = 200;
/** A day, or an instant with the offset that makes it one. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

export function tidyAbout(about: About = {}): About {
	const { author, publishedAt, canonical, image, siteName } = about;
	return withoutUnknown({
		author: name(author),
		publishedAt: time(publishedAt),
		canonical: address(canonical),
		image: address(image),
		siteName: name(siteName),
	});
}

function withoutUnknown(facts: Readonly<Record<keyof About, string | null>>): About {
	return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

function name(text = ""): string | null {
	const line = text
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim()
		.toWellFormed();
	return line === "" || line.length > nameCharactersMax ? null : line;
}

function time(text = ""): string | null {
	if (!isoTime.test(text)) return null;
	const date = new Date(text);
	if (Number.isNaN(date.getTime())) return null;
	return text.length === "2024-05-01".length ? text : date.toISOString();
}

function address(text = ""): string | null {
	const url = text.length > limits.addressCharactersMax ? null : URL.parse(text);
	return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : null;
}
