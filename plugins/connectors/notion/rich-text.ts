/** Notion's rich text → Markdown, or plain text. */

import { z } from "zod";

export const richTextSchema = z.array(
	z.object({
		type: z.string(),
		plain_text: z.string(),
		href: z.string().nullish(),
		annotations: z.object({ bold: z.boolean(), italic: z.boolean(), strikethrough: z.boolean(), code: z.boolean() }).partial().default({}),
	}),
);
export type RichText = z.infer<typeof richTextSchema>;

export function plainText(text: RichText): string {
	return text.map(({ plain_text }) => plain_text).join("");
}

export function markdownOf(text: RichText): string {
	return text.map(pieceOf).join("");
}

function pieceOf({ type, plain_text, href, annotations }: RichText[number]): string {
	// Marks have to stand at the words, not at the blanks around them.
	const [, before = "", words = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(plain_text) ?? [];
	if (words === "") return plain_text;
	if (type === "equation") return `${before}$${words}$${after}`;
	let marked = annotations.code === true ? `\`${words.replaceAll("`", "'")}\`` : escapeMarkdown(words);
	if (annotations.bold === true) marked = `**${marked}**`;
	if (annotations.italic === true) marked = `_${marked}_`;
	if (annotations.strikethrough === true) marked = `~~${marked}~~`;
	const isLink = href != null && /^(https?:|mailto:)/i.test(href);
	return `${before}${isLink ? `[${marked}](<${href.replace(/[<>\s]/g, encodeURIComponent)}>)` : marked}${after}`;
}

function escapeMarkdown(text: string): string {
	return text.replace(/[\\`*[\]<]/g, "\\$&");
}
