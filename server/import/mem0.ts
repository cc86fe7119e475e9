/** What mem0's `get_all` answers, saved as JSON: a list of memories, or one under `results` or `memories`. */

import { fail } from "../../core/errors/fail.ts";
import type { Source, WrittenMemory } from "./item.ts";
import { asTag, instant, nameOf, plain, texts } from "./plain.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type Found = Readonly<Record<string, unknown>>;

export const mem0: Source = async (path) => {
	const files = await readJson(path, /\.json$/);
	return files.flatMap((file) => {
		const { results, memories } = objectOf(file.value);
		const found = objectsOf(results ?? memories ?? file.value).filter((one) => textOf(one["id"]) !== "" && contentOf(one) !== "");
		if (found.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "there is no memory with an id and a memory in it");
		return found.map(memoryOf);
	});
};

/** OpenMemory calls it `content`. */
function contentOf(found: Found): string {
	return textOf(found["memory"]) || textOf(found["content"]) || textOf(found["text"]);
}

function memoryOf(found: Found): WrittenMemory {
	const { user_id, agent_id, app_id, run_id, categories, metadata } = found;
	return {
		kind: "memory",
		name: nameOf("mem0", textOf(found["id"])),
		content: contentOf(found),
		metadata: { ...plain(metadata), ...plain({ categories }), ...texts({ user_id, agent_id, app_id, run_id }) },
		container: asTag(user_id) ?? asTag(agent_id) ?? asTag(app_id) ?? asTag(run_id),
		saidAt: instant(found["created_at"]),
		happenedAt: null,
		endedAt: instant(found["expiration_date"]),
	};
}
