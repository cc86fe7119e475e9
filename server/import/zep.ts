/**
 * Reads the graph of Zep or Graphiti, saved as JSON. `edges` are facts and become memories; `episodes` are the sources of the facts and
 * become documents. Embeddings are left out.
 */

import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toContainerTag, toCustomId, toIsoTime, toMetadata } from "./convert-values.ts";
import type { Item, ItemReader } from "./item.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export const zep: ItemReader = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { edges, facts, episodes, nodes } = objectOf(file.value);
		const records = Array.isArray(file.value) ? objectsOf(file.value) : [...objectsOf(edges), ...objectsOf(facts), ...objectsOf(episodes)];
		const names = new Map(objectsOf(nodes).map((node) => [textOf(node["uuid"]), textOf(node["name"])]));
		const items = records.flatMap((record) => itemOf(record, names));
		if (items.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "it contains neither an edge with a fact nor an episode with content");
		return items;
	});
};

function itemOf(record: JsonObject, names: ReadonlyMap<string, string>): readonly Item[] {
	const id = textOf(record["uuid"]) || textOf(record["uuid_"]);
	const container = toContainerTag(record["group_id"]) ?? toContainerTag(record["user_id"]) ?? toContainerTag(record["graph_id"]);
	if (id === "") return [];
	if (textOf(record["fact"]) !== "") return [factOf(record, id, container, names)];
	const content = textOf(record["content"]);
	if (content.trim() === "") return [];
	const { source, source_description, role, session_id, thread_id } = record;
	const metadata = {
		...onlyStrings({ source, source_description, role, session_id, thread_id, documentDate: toIsoTime(record["valid_at"] ?? record["created_at"]) }),
	};
	return [
		{
			kind: "document",
			name: toCustomId("zep", id),
			title: textOf(record["name"]) || null,
			content,
			metadata: { ...metadata, source: "zep" },
			containers: container === null ? [] : [container],
		},
	];
}

function factOf(record: JsonObject, id: string, container: string | null, names: ReadonlyMap<string, string>): Item {
	const [from, to] = [names.get(textOf(record["source_node_uuid"])), names.get(textOf(record["target_node_uuid"]))];
	return {
		kind: "memory",
		name: toCustomId("zep", id),
		content: textOf(record["fact"]),
		metadata: { ...toMetadata(record["attributes"]), ...onlyStrings({ relation: record["name"], from, to }) },
		container,
		saidAt: toIsoTime(record["created_at"]),
		happenedAt: toIsoTime(record["valid_at"]),
		endedAt: toIsoTime(record["invalid_at"] ?? record["expired_at"]),
	};
}
