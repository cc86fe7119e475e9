/**
 * Zep's and Graphiti's graph as JSON: `edges` are facts and become memories, `episodes` are what the facts were read from and become
 * documents. Embeddings are left out.
 */

import { fail } from "../../core/errors/fail.ts";
import type { Item, Source } from "./item.ts";
import { asTag, instant, nameOf, plain, texts } from "./plain.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type Found = Readonly<Record<string, unknown>>;

export const zep: Source = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { edges, facts, episodes, nodes } = objectOf(file.value);
		const all = Array.isArray(file.value) ? objectsOf(file.value) : [...objectsOf(edges), ...objectsOf(facts), ...objectsOf(episodes)];
		const names = new Map(objectsOf(nodes).map((node) => [textOf(node["uuid"]), textOf(node["name"])]));
		const items = all.flatMap((found) => itemOf(found, names));
		if (items.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "there is neither an edge with a fact nor an episode with content in it");
		return items;
	});
};

function itemOf(found: Found, names: ReadonlyMap<string, string>): readonly Item[] {
	const id = textOf(found["uuid"]) || textOf(found["uuid_"]);
	const container = asTag(found["group_id"]) ?? asTag(found["user_id"]) ?? asTag(found["graph_id"]);
	if (id === "") return [];
	if (textOf(found["fact"]) !== "") return [factOf(found, id, container, names)];
	const content = textOf(found["content"]);
	if (content.trim() === "") return [];
	const { source, source_description, role, session_id, thread_id } = found;
	const metadata = { ...texts({ source, source_description, role, session_id, thread_id, documentDate: instant(found["valid_at"] ?? found["created_at"]) }) };
	return [{ kind: "document", name: nameOf("zep", id), title: textOf(found["name"]) || null, content, metadata: { ...metadata, source: "zep" }, container }];
}

function factOf(found: Found, id: string, container: string | null, names: ReadonlyMap<string, string>): Item {
	const [from, to] = [names.get(textOf(found["source_node_uuid"])), names.get(textOf(found["target_node_uuid"]))];
	return {
		kind: "memory",
		name: nameOf("zep", id),
		content: textOf(found["fact"]),
		metadata: { ...plain(found["attributes"]), ...texts({ relation: found["name"], from, to }) },
		container,
		saidAt: instant(found["created_at"]),
		happenedAt: instant(found["valid_at"]),
		endedAt: instant(found["invalid_at"] ?? found["expired_at"]),
	};
}
