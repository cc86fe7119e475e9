/** Blocks → Markdown. */

import type { Block } from "./blocks.ts";
import { markdownOf, plainText, type RichText, richTextSchema } from "./rich-text.ts";

/** Indents a list below an item of any kind: as far as `1. ` needs, and less than what makes code. */
const indent = "    ";

interface Piece {
	readonly text: string;
	/** Items of a list follow each other without an empty line. */
	readonly isItem: boolean;
}

export function blocksToMarkdown(blocks: readonly Block[]): string {
	let number = 0;
	const pieces = blocks.flatMap((block) => {
		number = block.type === "numbered_list_item" ? number + 1 : 0;
		return pieceOf(block, number);
	});
	return joined(pieces.filter(({ text }) => text.trim() !== ""));
}

function joined(pieces: readonly Piece[]): string {
	return pieces.map(({ text, isItem }, at) => (at === 0 ? text : `${isItem && pieces[at - 1]?.isItem === true ? "\n" : "\n\n"}${text}`)).join("");
}

function pieceOf(block: Block, number: number): Piece {
	const { type, data, children } = block;
	const text = markdownOf(textOf(data["rich_text"]));
	if (type === "bulleted_list_item" || type === "toggle") return item("- ", text, children);
	if (type === "numbered_list_item") return item(`${number}. `, text, children);
	if (type === "to_do") return item(data["checked"] === true ? "- [x] " : "- [ ] ", text, children);
	return { text: blockText(block, text), isItem: false };
}

function item(mark: string, text: string, children: readonly Block[]): Piece {
	const inside = blocksToMarkdown(children).replace(/^(?=.)/gm, indent);
	const parting = /^\s*(?:- |\d+\. )/.test(inside) ? "\n" : "\n\n";
	return { text: `${mark}${text.replaceAll("\n", `\n${indent}`)}${inside === "" ? "" : `${parting}${inside}`}`, isItem: true };
}

/** https://developers.notion.com/reference/block */
function blockText({ type, data, children }: Block, text: string): string {
	const inside = blocksToMarkdown(children);
	const withInside = (own: string) => [own, inside].filter((part) => part !== "").join("\n\n");
	if (type.startsWith("heading_")) return withInside(`${"#".repeat(Math.min(Number(type.slice(-1)) + 1, 6))} ${text.replaceAll("\n", " ")}`);
	if (type === "quote" || type === "callout") return withInside(text).replace(/^/gm, "> ");
	if (type === "code") return fenced(plainText(textOf(data["rich_text"])), String(data["language"] ?? ""));
	if (type === "equation") return `$$\n${String(data["expression"] ?? "")}\n$$`;
	if (type === "divider") return "---";
	if (type === "table") return tableOf(children, data["has_column_header"] === true);
	if (type === "child_page" || type === "child_database") return String(data["title"] ?? "");
	if (type === "unsupported") return "";
	const address = addressOf(data);
	const caption = markdownOf(textOf(data["caption"])) || nameOf(data);
	if (address !== null || caption !== "") return address === null ? caption : `[${caption || address}](<${address}>)`;
	return withInside(/^(?:#{1,6}\s|[-+]\s|>|\d+[.)]\s)/.test(text) ? `\\${text}` : text);
}

/** Addresses of files that Notion keeps are left out: they are good for an hour, https://developers.notion.com/reference/file-object. */
function addressOf(data: Block["data"]): string | null {
	const external = data["external"];
	const url = data["url"] ?? (typeof external === "object" && external !== null && "url" in external ? external.url : null);
	return typeof url === "string" && /^https?:/i.test(url) ? url.replace(/[<>\s]/g, encodeURIComponent) : null;
}

function nameOf(data: Block["data"]): string {
	return typeof data["name"] === "string" ? data["name"] : "";
}

function fenced(code: string, language: string): string {
	const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = "`".repeat(longest + 1);
	return `${fence}${language === "plain text" ? "" : language}\n${code}\n${fence}`;
}

function tableOf(rows: readonly Block[], hasHeader: boolean): string {
	const cells = rows
		.filter(({ type }) => type === "table_row")
		.map(({ data }) => (Array.isArray(data["cells"]) ? data["cells"] : []).map((cell) => cellOf(textOf(cell))));
	const [first = []] = cells;
	const width = Math.max(...cells.map((row) => row.length), 0);
	if (width === 0) return "";
	const line = (row: readonly string[]) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
	return [line(hasHeader ? first : []), line(Array.from({ length: width }, () => "---")), ...cells.slice(hasHeader ? 1 : 0).map(line)].join("\n");
}

function cellOf(text: RichText): string {
	return markdownOf(text)
		.replaceAll("|", "\\|")
		.replace(/\s*\n\s*/g, " ");
}

function textOf(value: unknown): RichText {
	return richTextSchema.safeParse(value).data ?? [];
}
