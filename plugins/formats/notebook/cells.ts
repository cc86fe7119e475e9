/** Reads the JSON of a notebook of any version: its cells with their output. */

import { fail } from "cairn-memory";

export interface Notebook {
	readonly cells: readonly Cell[];
	readonly title: string | null;
	/** The language of the code; null if the notebook does not declare it. */
	readonly language: string | null;
}

export interface Cell {
	readonly kind: "code" | "markdown" | "text";
	readonly source: string;
	readonly outputs: readonly Output[];
}

export interface Output {
	readonly kind: "text" | "markdown" | "html";
	readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws FILE_BROKEN if it is not a notebook. */
export function readNotebook(text: string): Notebook {
	const root = fieldsOf(parse(text));
	const sheets = listOf(root["worksheets"]).flatMap((sheet) => listOf(fieldsOf(sheet)["cells"])); // before version 4
	const cells = [...listOf(root["cells"]), ...sheets].map((cell) => cellOf(fieldsOf(cell)));
	if (!("cells" in root) && !("worksheets" in root)) throw fail("FILE_BROKEN", "it is JSON without the cells of a notebook");
	const metadata = fieldsOf(root["metadata"]);
	const language = fieldsOf(metadata["language_info"])["name"] ?? fieldsOf(metadata["kernelspec"])["language"];
	const [first] = sheets.map((cell) => fieldsOf(cell)["language"]).filter((name) => typeof name === "string");
	return { cells, title: textOf(metadata["title"] ?? metadata["name"]) || null, language: textOf(language ?? first) || null };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (thrown) {
		throw fail("FILE_BROKEN", "it is not valid JSON").because(thrown);
	}
}

function cellOf(cell: Fields): Cell {
	const source = textOf(cell["source"] ?? cell["input"]);
	const type = cell["cell_type"];
	if (type === "markdown") return { kind: "markdown", source, outputs: [] };
	if (type === "heading") return { kind: "markdown", source: `${"#".repeat(levelOf(cell["level"]))} ${source.replace(/\s+/g, " ")}`, outputs: [] };
	if (type !== "code") return { kind: "text", source, outputs: [] };
	return { kind: "code", source, outputs: joinOutputs(listOf(cell["outputs"]).map((output) => outputOf(fieldsOf(output)))) };
}

function levelOf(level: unknown): number {
	return typeof level === "number" && level >= 1 && level <= 6 ? Math.floor(level) : 1;
}

/** The text of an output. Images are skipped. Tables are read from HTML, since their plain text is cut to the width of a screen. */
function outputOf(output: Fields): Output {
	if (output["output_type"] === "stream") return { kind: "text", text: withoutTerminalCodes(textOf(output["text"])) };
	if (output["output_type"] === "error" || output["output_type"] === "pyerr")
		return { kind: "text", text: withoutTerminalCodes([textOf(output["ename"]), textOf(output["evalue"])].filter((part) => part !== "").join(": ")) };
	const data = { ...output, ...fieldsOf(output["data"]) };
	const html = textOf(data["text/html"] ?? data["html"]);
	if (/<table[\s>]/i.test(html)) return { kind: "html", text: html };
	const markdown = textOf(data["text/markdown"]);
	if (markdown !== "") return { kind: "markdown", text: markdown };
	const text = withoutTerminalCodes(textOf(data["text/plain"] ?? data["text"]));
	// Texts such as `<Figure size 640x480>` are placeholders for an image or a widget.
	const isPlaceholder = /^<[^<>\n]*>$/.test(text.trim());
	if (text.trim() !== "" && !isPlaceholder) return { kind: "text", text };
	return html === "" ? { kind: "text", text: "" } : { kind: "html", text: html };
}

/** Joins consecutive pieces of printed output. */
function joinOutputs(outputs: readonly Output[]): readonly Output[] {
	const merged: Output[] = [];
	for (const output of outputs) {
		if (output.text.trim() === "") continue;
		const last = merged.at(-1);
		if (last?.kind === "text" && output.kind === "text") merged[merged.length - 1] = { kind: "text", text: `${last.text.replace(/\n$/, "")}\n${output.text}` };
		else merged.push(output);
	}
	return merged;
}

/** Removes terminal colours, and all states of progress bars except the last. */
function withoutTerminalCodes(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with it
	const withoutColours = text.replace(/\u001b\[[\d;]{0,50}[A-Za-z]/g, "").replaceAll("\r\n", "\n");
	if (!withoutColours.includes("\r")) return withoutColours;
	const lines = withoutColours.split("\n").map((line) => line.replace(/\r+$/, ""));
	return lines.map((line) => line.slice(line.lastIndexOf("\r") + 1)).join("\n");
}

function fieldsOf(value: unknown): Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The text of a field, which is stored as a string or as a list of lines. */
function textOf(value: unknown): string {
	if (typeof value === "string") return value;
	return listOf(value)
		.filter((line) => typeof line === "string")
		.join("");
}
