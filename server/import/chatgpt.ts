/** Reads ChatGPT's data export: `conversations.json`, a list of message trees. The branch that was shown last is imported. */

import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toCustomId, toIsoTime } from "./convert-values.ts";
import type { ConversationItem, ItemReader } from "./item.ts";
import { objectOf, objectsOf, readJson, textOf } from "./read-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export const chatgpt: ItemReader = async (path) => {
	const files = await readJson(path, /^conversations.*\.json$/);
	return files.flatMap((file) => {
		const conversations = objectsOf(file.value).filter(({ mapping }) => typeof mapping === "object" && mapping !== null);
		if (conversations.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "it contains no conversation with a mapping");
		return conversations.map(conversationOf).filter(({ messages }) => messages.length > 0);
	});
};

function conversationOf(conversation: JsonObject): ConversationItem {
	const id = textOf(conversation["conversation_id"]) || textOf(conversation["id"]);
	return {
		kind: "conversation",
		name: toCustomId("chatgpt", id),
		title: textOf(conversation["title"]) || null,
		messages: shownBranch(conversation).flatMap(messageOf),
		metadata: onlyStrings({ source: "chatgpt", documentDate: toIsoTime(conversation["create_time"]), updatedAt: toIsoTime(conversation["update_time"]) }),
	};
}

/** The messages from the root to the current node. Each node is used once, even if the parents form a cycle. */
function shownBranch({ mapping, current_node }: JsonObject): readonly JsonObject[] {
	const nodes = objectOf(mapping);
	const branch: JsonObject[] = [];
	const seen = new Set<string>();
	for (let id = textOf(current_node) || newestLeaf(nodes); id !== "" && !seen.has(id); ) {
		seen.add(id);
		const node = objectOf(nodes[id]);
		branch.unshift(objectOf(node["message"]));
		id = textOf(node["parent"]);
	}
	return branch;
}

/** The newest node without children, for conversations that name no current node. */
function newestLeaf(nodes: JsonObject): string {
	const leaves = Object.entries(nodes).filter(
		([, node]) => !Array.isArray(objectOf(node)["children"]) || (objectOf(node)["children"] as unknown[]).length === 0,
	);
	const timeOf = (node: unknown) => Number(objectOf(objectOf(node)["message"])["create_time"] ?? 0);
	return leaves.toSorted(([, a], [, b]) => timeOf(a) - timeOf(b)).at(-1)?.[0] ?? "";
}

/** Leaves out what was neither written nor shown: system messages, tool calls, custom instructions, reasoning. */
function messageOf(message: JsonObject): ConversationItem["messages"] {
	const role = objectOf(message["author"])["role"];
	const { is_visually_hidden_from_conversation: isHidden, is_user_system_message: isInstruction } = objectOf(message["metadata"]);
	const isForPeople = message["recipient"] === undefined || message["recipient"] === "all";
	if ((role !== "user" && role !== "assistant") || isHidden === true || isInstruction === true || !isForPeople) return [];
	const { content_type: type, parts } = objectOf(message["content"]);
	if (type !== undefined && type !== "text" && type !== "multimodal_text") return [];
	const textParts = (Array.isArray(parts) ? parts : [])
		.map((part) => (typeof part === "string" ? part : textOf(objectOf(part)["text"])))
		.filter((part) => part.trim() !== "");
	return textParts.length === 0 ? [] : [{ role, content: textParts.join("\n") }];
}
