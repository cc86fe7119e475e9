/** Reads responses of Supermemory's API, saved as JSON: documents of `/v3/documents/list` with content, memories of `/v4/memories/list`. */

import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toContainerTag, toCustomId, toIsoTime, toMetadata } from "./convert-values.ts";
import type { Item, ItemReader } from "./item.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export const supermemory: ItemReader = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { memories, documents, memoryEntries } = objectOf(file.value);
		const records = Array.isArray(file.value) ? objectsOf(file.value) : [...objectsOf(memories), ...objectsOf(documents), ...objectsOf(memoryEntries)];
		const items = records.flatMap((record) => (textOf(record["memory"]) === "" ? documentOf(record) : memoryOf(record)));
		if (items.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "it contains no document with content, and no memory");
		return items;
	});
};

/** A document without content is imported by its URL, if it has one. `/v3/documents/list` returns the content with `includeContent`. */
function documentOf(record: JsonObject): readonly Item[] {
	const content = textOf(record["content"]) || textOf(record["url"]);
	const id = textOf(record["id"]);
	if (content.trim() === "" || id === "") return [];
	const customId = textOf(record["customId"]);
	const isValidCustomId = /^[a-zA-Z0-9_.:-]{1,255}$/.test(customId);
	const tags: readonly unknown[] = Array.isArray(record["containerTags"]) ? record["containerTags"] : [];
	return [
		{
			kind: "document",
			name: isValidCustomId ? customId : toCustomId("supermemory", id),
			title: textOf(record["title"]) || null,
			content,
			metadata: { ...toMetadata(record["metadata"]), ...onlyStrings({ url: record["url"], documentDate: toIsoTime(record["createdAt"]) }) },
			containers: [...new Set(tags.map(toContainerTag).filter((tag) => tag !== null))],
		},
	];
}

/** Imports only current memories: those that were neither replaced by a newer version nor forgotten. */
function memoryOf(record: JsonObject): readonly Item[] {
	if (record["isForgotten"] === true || record["isLatest"] === false) return [];
	const { temporalContext, ...metadata } = objectOf(record["metadata"]);
	const { documentDate, eventDate } = objectOf(record["temporalContext"] ?? temporalContext);
	return [
		{
			kind: "memory",
			name: toCustomId("supermemory", textOf(record["id"])),
			content: textOf(record["memory"]),
			metadata: toMetadata(metadata),
			container: toContainerTag(record["spaceContainerTag"]),
			saidAt: toIsoTime(documentDate ?? record["createdAt"]),
			happenedAt: toIsoTime(Array.isArray(eventDate) ? eventDate[0] : eventDate),
			endedAt: toIsoTime(record["forgetAfter"]),
		},
	];
}
