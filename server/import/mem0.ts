/** Reads the result of mem0's `get_all`, saved as JSON: a list of memories, either at the top or under `results` or `memories`. */

import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toContainerTag, toCustomId, toIsoTime, toMetadata } from "./convert-values.ts";
import type { ItemReader, MemoryItem } from "./item.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export const mem0: ItemReader = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { results, memories } = objectOf(file.value);
		const record = objectsOf(results ?? memories ?? file.value).filter((candidate) => textOf(candidate["id"]) !== "" && contentOf(candidate) !== "");
		if (record.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "it contains no memory with an id and a text");
		return record.map(memoryOf);
	});
};

/** The text of a memory, which OpenMemory calls `content`. */
function contentOf(record: JsonObject): string {
	return textOf(record["memory"]) || textOf(record["content"]) || textOf(record["text"]);
}

function memoryOf(record: JsonObject): MemoryItem {
	const { user_id, agent_id, app_id, run_id, categories, metadata } = record;
	return {
		kind: "memory",
		name: toCustomId("mem0", textOf(record["id"])),
		content: contentOf(record),
		metadata: { ...toMetadata(metadata), ...toMetadata({ categories }), ...onlyStrings({ user_id, agent_id, app_id, run_id }) },
		container: toContainerTag(user_id) ?? toContainerTag(agent_id) ?? toContainerTag(app_id) ?? toContainerTag(run_id),
		saidAt: toIsoTime(record["created_at"]),
		happenedAt: null,
		endedAt: toIsoTime(record["expiration_date"]),
	};
}
