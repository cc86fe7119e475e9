/** ChatGPT's data export: `conversations.json`, a list of trees of messages. The branch that was shown last is the conversation. */

import { fail } from "../../core/errors/fail.ts";
import type { Conversation, Source } from "./item.ts";
import { instant, nameOf, texts } from "./plain.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type Found = Readonly<Record<string, unknown>>;

export const chatgpt: Source = async (path) => {
	const files = await readJson(path, /^conversations.*\.json$/);
	return files.flatMap((file) => {
		const conversations = objectsOf(file.value).filter(({ mapping }) => typeof mapping === "object" && mapping !== null);
		if (conversations.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "there is no conversation with a mapping in it");
		return conversations.map(conversationOf).filter(({ messages }) => messages.length > 0);
	});
};

function conversationOf(found: Found): Conversation {
	const id = textOf(found["conversation_id"]) || textOf(found["id"]);
	return {
		kind: "conversation",
		name: nameOf("chatgpt", id),
		title: textOf(found["title"]) || null,
		messages: shownBranch(found).flatMap(messageOf),
		metadata: texts({ source: "chatgpt", documentDate: instant(found["create_time"]), updatedAt: instant(found["update_time"]) }),
	};
}

/** From the last node up to the root, each node once. */
function shownBranch({ mapping, current_node }: Found): readonly Found[] {
	const nodes = objectOf(mapping);
	const branch: Found[] = [];
	const seen = new Set<string>();
	for (let id = textOf(current_node) || lastOf(nodes); id !== "" && !seen.has(id); ) {
		seen.add(id);
		const node = objectOf(nodes[id]);
		branch.unshift(objectOf(node["message"]));
		id = textOf(node["parent"]);
	}
	return branch;
}

/** Where no node is named as the current one: the newest without children. */
function lastOf(nodes: Found): string {
	const leaves = Object.entries(nodes).filter(
		([, node]) => !Array.isArray(objectOf(node)["children"]) || (objectOf(node)["children"] as unknown[]).length === 0,
	);
	const timeOf = (node: unknown) => Number(objectOf(objectOf(node)["message"])["create_time"] ?? 0);
	return leaves.toSorted(([, a], [, b]) => timeOf(a) - timeOf(b)).at(-1)?.[0] ?? "";
}

/** What was neither said nor shown is left out: system messages, calls of tools, custom instructions, thoughts. */
function messageOf(message: Found): Conversation["messages"] {
	const role = objectOf(message["author"])["role"];
	const { is_visually_hidden_from_conversation: isHidden, is_user_system_message: isInstruction } = objectOf(message["metadata"]);
	const isForAll = message["recipient"] === undefined || message["recipient"] === "all";
	if ((role !== "user" && role !== "assistant") || isHidden === true || isInstruction === true || !isForAll) return [];
	const { content_type: type, parts } = objectOf(message["content"]);
	if (type !== undefined && type !== "text" && type !== "multimodal_text") return [];
	const said = (Array.isArray(parts) ? parts : [])
		.map((part) => (typeof part === "string" ? part : textOf(objectOf(part)["text"])))
		.filter((part) => part.trim() !== "");
	return said.length === 0 ? [] : [{ role, content: said.join("\n") }];
}
