/** Reads JSON and JSON lines. Runs in the sandbox. */

import { completeExtraction, type Engine, type Remark } from "cairn";
import { createDataOutline } from "../data-outline.ts";
import { tableOf } from "../data-table.ts";
import { type DataValue, isScalar, scalarAt } from "../data-value.ts";
import { type JsonReading, parseJson } from "../json-reader.ts";
import { createOutline, type Outline } from "../outline.ts";
import { paragraphsOf } from "../paragraphs.ts";
import type { Content, Reading } from "../read-in-sandbox.ts";
import { readText } from "../read-text.ts";

export interface JsonInput {
	readonly content: Content;
	readonly form: "json" | "lines";
}

interface Facts {
	readonly title: string | null;
	readonly description: string | null;
	readonly remarks: readonly Remark[];
}

const nothing: Facts = { title: null, description: null, remarks: [] };

const engine: Engine<JsonInput, Reading> = async ({ content, form }) => {
	const text = readText(content);
	const outline = createOutline();
	const whole = form === "lines" ? null : parseJson(text);
	const { title, description, remarks } = whole === null || isFirstOfMany(whole, text) ? addLines(text, outline) : addWhole(whole, text, outline);
	// A number alone, or empty brackets: they are shown as they are written.
	const blocks = outline.blocks.length > 0 ? outline.blocks : paragraphsOf(text);
	return { extraction: completeExtraction({ blocks, titles: [title], description, type: "text" }), remarks };
};
export default engine;

/** One value a line, whatever the file is called: the first is whole, and another begins on the next line. */
function isFirstOfMany({ damage, end }: JsonReading, text: string): boolean {
	return damage === null && /^[^\S\n]*\n\s*[{[]/.test(text.slice(end, end + 1_000));
}

function addWhole({ value, damage, end, deep }: JsonReading, text: string, outline: Outline): Facts {
	const data = createDataOutline(outline);
	if (value !== null) data.add(value);
	data.close();
	const rest = text.slice(damage?.at ?? end);
	for (const block of paragraphsOf(rest)) outline.paragraph(block.text);
	const wrong = damage ?? (rest.trim() === "" ? null : { message: "something follows its end", at: end });
	const remarks = [
		...(wrong === null ? [] : [{ code: "JSON_BROKEN", message: `${wrong.message}, in line ${lineAt(text, wrong.at)}; what follows was read as plain text` }]),
		...depthRemark(deep),
		...bytesRemark(data.bytesSkipped()),
	];
	if (value === null || isScalar(value)) return { ...nothing, remarks };
	return { title: scalarAt(value, "title") ?? scalarAt(value, "name"), description: scalarAt(value, "description"), remarks };
}

/** Lines of one kind are rows, which know their line; others are paragraphs. A line that is no JSON is kept as it is written. */
function addLines(text: string, outline: Outline): Facts {
	const values: (DataValue | null)[] = [];
	const lines: { readonly text: string; readonly number: number }[] = [];
	let broken = 0;
	let firstBroken = 0;
	let deep = 0;
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		const reading = parseJson(line);
		const isWhole = reading.damage === null && line.slice(reading.end).trim() === "";
		if (!isWhole) firstBroken ||= index + 1;
		if (!isWhole) broken++;
		deep += reading.deep;
		values.push(isWhole ? reading.value : null);
		lines.push({ text: line, number: index + 1 });
	}
	const data = createDataOutline(outline);
	const table = tableOf(values.filter((value) => value !== null));
	let row = 0;
	let rows: { readonly cells: readonly string[]; readonly place: { readonly row: number } }[] = [];
	let odd: string[] = [];
	const endTable = () => {
		if (table !== null && rows.length > 0) outline.table(table.header, rows);
		rows = [];
	};
	const endOdd = () => {
		outline.paragraph(odd.join("\n"));
		odd = [];
	};
	for (const [index, value] of values.entries()) {
		const line = lines[index];
		const cells = value === null ? undefined : table?.rows[row++];
		if (value !== null) endOdd();
		if (cells !== undefined) {
			rows.push({ cells, place: { row: line?.number ?? 1 } });
			continue;
		}
		endTable();
		if (value === null) odd.push(line?.text ?? "");
		else data.add(value);
		data.close();
	}
	endTable();
	endOdd();
	const remarks = [
		...(broken === 0
			? []
			: [{ code: "JSON_LINES_BROKEN", message: `${broken} lines are not JSON and were read as plain text, the first is line ${firstBroken}` }]),
		...depthRemark(deep),
		...bytesRemark(data.bytesSkipped()),
	];
	return { ...nothing, remarks };
}

function depthRemark(deep: number): readonly Remark[] {
	return deep === 0 ? [] : [{ code: "JSON_TOO_DEEP", message: "values that are nested too deeply are shown as they are written" }];
}

function bytesRemark(skipped: number): readonly Remark[] {
	return skipped === 0 ? [] : [{ code: "BYTES_SKIPPED", message: `${skipped} values hold bytes written in letters and were left out` }];
}

function lineAt(text: string, at: number): number {
	let line = 1;
	for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) line++;
	return line;
}
