/** Claude's data export: `conversations.json`, a list of conversations with their messages in order. */

import { fail } from "../../core/errors/fail.ts";
import type { Conversation, Source } from "./item.ts";
import { instant, nameOf, texts } from "./plain.ts";
import { objectsOf, readJson, textOf } from "./read-json.ts";

type Found = Readonly<Record<string, unknown>>;

export const claude: Source = async (path) => {
	const files = await readJson(path, /^conversations.*\.json$/);
	return files.flatMap((file) => {
		const conversations = objectsOf(file.value).filter(({ chat_messages: messages }) => Array.isArray(messages));
		if (conversations.length === 0) throw fail("IMPORT_UNKNOWN", file.path, "there is no conversation with chat_messages in it");
		return conversations.map(conversationOf).filter(({ messages }) => messages.length > 0);
	});
};

function conversationOf(found: Found): Conversation {
	return {
		kind: "conversation",
		name: nameOf("claude", textOf(found["uuid"])),
		title: textOf(found["name"]) || null,
		messages: objectsOf(found["chat_messages"]).flatMap(messageOf),
		metadata: texts({ source: "claude", documentDate: instant(found["created_at"]), updatedAt: instant(found["updated_at"]) }),
	};
}

/** With the text of what was attached. */
function messageOf(message: Found): Conversation["messages"] {
	const role = { human: "user", assistant: "assistant" }[textOf(message["sender"])] as "user" | "assistant" | undefined;
	const blocks = objectsOf(message["content"]).flatMap(({ type, text }) => (type === "text" ? [textOf(text)] : []));
	const attached = objectsOf(message["attachments"]).flatMap(({ file_name: name, extracted_content: text }) =>
		textOf(text) === "" ? [] : [`${textOf(name)}:\n${textOf(text)}`],
	);
	const said = [...(blocks.length > 0 ? blocks : [textOf(message["text"])]), ...attached].filter((part) => part.trim() !== "");
	return role === undefined || said.length === 0 ? [] : [{ role, content: said.join("\n\n") }];
}
