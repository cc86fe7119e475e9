/** Reads Claude's data export: `conversations.json`, a list of conversations with their messages in order. */

import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toCustomId, toIsoTime } from "./convert-values.ts";
import type { ConversationItem, ItemReader } from "./item.ts";
import { objectsOf, readJson, textOf } from "./read-json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export const claude: ItemReader = async (path) => {
	const files = await readJson(path, /^conversations.*\.json$/);
	return files.flatMap((file) => {
		const conversations = objectsOf(file.value).filter(({ chat_messages: messages }) => Array.isArray(messages));
		if (conversations.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "it contains no conversation with chat_messages");
		return conversations.map(conversationOf).filter(({ messages }) => messages.length > 0);
	});
};

function conversationOf(conversation: JsonObject): ConversationItem {
	return {
		kind: "conversation",
		name: toCustomId("claude", textOf(conversation["uuid"])),
		title: textOf(conversation["name"]) || null,
		messages: objectsOf(conversation["chat_messages"]).flatMap(messageOf),
		metadata: onlyStrings({ source: "claude", documentDate: toIsoTime(conversation["created_at"]), updatedAt: toIsoTime(conversation["updated_at"]) }),
	};
}

/** A message, with the text of its attachments. */
function messageOf(message: JsonObject): ConversationItem["messages"] {
	const role = { human: "user", assistant: "assistant" }[textOf(message["sender"])] as "user" | "assistant" | undefined;
	const blocks = objectsOf(message["content"]).flatMap(({ type, text }) => (type === "text" ? [textOf(text)] : []));
	const attachments = objectsOf(message["attachments"]).flatMap(({ file_name: name, extracted_content: text }) =>
		textOf(text) === "" ? [] : [`${textOf(name)}:\n${textOf(text)}`],
	);
	const textParts = [...(blocks.length > 0 ? blocks : [textOf(message["text"])]), ...attachments].filter((part) => part.trim() !== "");
	return role === undefined || textParts.length === 0 ? [] : [{ role, content: textParts.join("\n\n") }];
}
