/** Answers of Supermemory's API, saved as JSON: documents of `/v3/documents/list` with their content, memories of `/v4/memories/list`. */

import { fail } from "../../core/errors/fail.ts";
import type { Item, Source } from "./item.ts";
import { asTag, instant, nameOf, plain, texts } from "./plain.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type Found = Readonly<Record<string, unknown>>;

export const supermemory: Source = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { memories, documents, memoryEntries } = objectOf(file.value);
		const listed = Array.isArray(file.value) ? objectsOf(file.value) : [...objectsOf(memories), ...objectsOf(documents), ...objectsOf(memoryEntries)];
		const items = listed.flatMap((found) => (textOf(found["memory"]) === "" ? documentOf(found) : memoryOf(found)));
		if (items.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "there is no document with content and no memory in it");
		return items;
	});
};

/** Without its content only an address can be read anew: ask the list with `includeContent`. */
function documentOf(found: Found): readonly Item[] {
	const content = textOf(found["content"]) || textOf(found["url"]);
	const id = textOf(found["id"]);
	if (content.trim() === "" || id === "") return [];
	const customId = textOf(found["customId"]);
	const isGood = /^[a-zA-Z0-9_.:-]{1,255}$/.test(customId);
	const [tag] = Array.isArray(found["containerTags"]) ? found["containerTags"] : [];
	return [
		{
			kind: "document",
			name: isGood ? customId : nameOf("supermemory", id),
			title: textOf(found["title"]) || null,
			content,
			metadata: { ...plain(found["metadata"]), ...texts({ url: found["url"], documentDate: instant(found["createdAt"]) }) },
			container: asTag(tag),
		},
	];
}

/** Only what is current: a version that was replaced or forgotten is nobody's fact any more. */
function memoryOf(found: Found): readonly Item[] {
	if (found["isForgotten"] === true || found["isLatest"] === false) return [];
	const { temporalContext, ...metadata } = objectOf(found["metadata"]);
	const { documentDate, eventDate } = objectOf(found["temporalContext"] ?? temporalContext);
	return [
		{
			kind: "memory",
			name: nameOf("supermemory", textOf(found["id"])),
			content: textOf(found["memory"]),
			metadata: plain(metadata),
			container: asTag(found["spaceContainerTag"]),
			saidAt: instant(documentDate ?? found["createdAt"]),
			happenedAt: instant(Array.isArray(eventDate) ? eventDate[0] : eventDate),
			endedAt: instant(found["forgetAfter"]),
		},
	];
}
