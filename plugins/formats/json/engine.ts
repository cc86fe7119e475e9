/** Reads JSON and JSON lines. Runs in the sandbox. */

import type { Engine, Warning } from "cairn-memory";
import { createExtractionWriter, type ExtractionWriter } from "cairn-memory/words";
import type { Content, PackedSandboxResult } from "../blocks/content.ts";
import { type OpenTable, type OutlineWriter, outlineInto } from "../blocks/outline.ts";
import { createDataOutline } from "../data/data-outline.ts";
import { tableOf } from "../data/data-table.ts";
import { type DataValue, isRecord, isScalar, scalarAt } from "../data/data-value.ts";
import { paragraphsOf } from "../text/plain-text.ts";
import { readText } from "../text/read-text.ts";
import { type JsonReading, lazyRecord, longCharactersMin, parseJson } from "./json-reader.ts";

export interface JsonInput {
	readonly content: Content;
	readonly format: "json" | "lines";
}

const reportEveryLines = 1_000;

interface JsonMetadata {
	readonly title: string | null;
	readonly description: string | null;
	readonly warnings: readonly Warning[];
}

const noMetadata: JsonMetadata = { title: null, description: null, warnings: [] };

const engine: Engine<JsonInput, PackedSandboxResult> = async ({ content, format }, report) => {
	const text = readText(content);
	const writer = createExtractionWriter();
	const outline = outlineInto(writer);
	const reportOffset = (offset: number) => report({ done: offset, total: text.length, unit: "character" });
	const whole = format === "lines" ? null : parseJson(text, 0, { report: reportOffset });
	const isLines = whole === null || isFirstOfMany(whole, text);
	const { title, description, warnings } = isLines ? addLines(text, outline, writer, reportOffset) : addValue(whole, text, outline);
	// Without any block (a single `{}` or `""`), the JSON text itself is added.
	if (writer.count() === 0) for (const block of paragraphsOf(text)) writer.add(block);
	return { extraction: writer.complete({ titles: [title], description, type: "text" }), warnings: [...writer.warnings(), ...warnings] };
};
export default engine;

/** Whether it is JSON Lines although declared as JSON: the first value is complete, and another one begins on the next line. */
function isFirstOfMany({ damage, end }: JsonReading, text: string): boolean {
	return damage === null && /^[^\S\n]*\n\s*[{[]/.test(text.slice(end, end + 1_000));
}

function addValue({ value, damage, end, tooDeepCount }: JsonReading, text: string, outline: OutlineWriter): JsonMetadata {
	const data = createDataOutline(outline);
	if (value !== null) data.add(value);
	data.endParagraph();
	const rest = text.slice(damage?.offset ?? end);
	for (const block of paragraphsOf(rest)) outline.paragraph(block.text);
	const damageOrRest = damage ?? (rest.trim() === "" ? null : { message: "there is more text after its end", offset: end });
	const warnings = [
		...(damageOrRest === null
			? []
			: [{ code: "JSON_BROKEN", message: `${damageOrRest.message}, in line ${lineAt(text, damageOrRest.offset)}; the rest was read as plain text` }]),
		...depthWarning(tooDeepCount),
		...bytesWarning(data.bytesSkipped()),
	];
	if (value === null || isScalar(value)) return { ...noMetadata, warnings };
	return { title: scalarAt(value, "title") ?? scalarAt(value, "name"), description: scalarAt(value, "description"), warnings };
}

/** Adds JSON Lines. Similar lines become table rows with their line number, others paragraphs. A line that is not JSON is added as text. */
function addLines(text: string, outline: OutlineWriter, { isFull }: ExtractionWriter, reportOffset: (offset: number) => void): JsonMetadata {
	const { values, lines, brokenCount, firstBrokenLine, tooDeepCount } = readLines(text, reportOffset);
	const data = createDataOutline(outline);
	const table = tableOf(values.filter((value) => value !== null));
	let row = 0;
	let openTable: OpenTable | null = null;
	let plainLines: string[] = [];
	const endTable = () => {
		openTable?.end();
		openTable = null;
	};
	const endPlainLines = () => {
		outline.paragraph(plainLines.join("\n"));
		plainLines = [];
	};
	for (const [index, value] of values.entries()) {
		if (isFull()) break;
		const line = lines[index];
		if (value !== null) endPlainLines();
		if (value !== null && table !== null) {
			openTable ??= outline.openTable(table.header);
			openTable.add({ cells: table.rowAt(row++), place: { row: line?.number ?? 1 } });
			continue;
		}
		endTable();
		if (value === null) plainLines.push(line?.text ?? "");
		else data.add(value);
		data.endParagraph();
	}
	endTable();
	endPlainLines();
	const warnings = [
		...(brokenCount === 0
			? []
			: [{ code: "JSON_LINES_BROKEN", message: `${brokenCount} lines are not JSON and were read as plain text, the first is line ${firstBrokenLine}` }]),
		...depthWarning(tooDeepCount),
		...bytesWarning(data.bytesSkipped()),
	];
	return { ...noMetadata, warnings };
}

interface Lines {
	/** One value for each line; null for a line that is not JSON. */
	readonly values: readonly (DataValue | null)[];
	readonly lines: readonly { readonly text: string; readonly number: number }[];
	readonly brokenCount: number;
	readonly firstBrokenLine: number;
	readonly tooDeepCount: number;
}

function readLines(text: string, reportOffset: (offset: number) => void): Lines {
	const values: (DataValue | null)[] = [];
	const lines: { readonly text: string; readonly number: number }[] = [];
	let brokenCount = 0;
	let firstBrokenLine = 0;
	let tooDeepCount = 0;
	let offset = 0;
	const names = new Map<string, string>();
	const isLong = text.length >= longCharactersMin;
	for (const [index, line] of text.split("\n").entries()) {
		offset += line.length + 1;
		if (line.trim() === "") continue;
		if (index % reportEveryLines === 0) reportOffset(offset);
		const reading = parseJson(line, 0, { names });
		const isComplete = reading.damage === null && line.slice(reading.end).trim() === "";
		if (!isComplete) firstBrokenLine ||= index + 1;
		if (!isComplete) brokenCount++;
		tooDeepCount += reading.tooDeepCount;
		const value = isComplete ? reading.value : null;
		values.push(isLong && value !== null && isRecord(value) ? lazyRecord(line, names) : value);
		lines.push({ text: line, number: index + 1 });
	}
	return { values, lines, brokenCount, firstBrokenLine, tooDeepCount };
}

function depthWarning(tooDeepCount: number): readonly Warning[] {
	return tooDeepCount === 0 ? [] : [{ code: "JSON_TOO_DEEP", message: "values that are nested too deeply were kept as JSON text" }];
}

function bytesWarning(skippedCount: number): readonly Warning[] {
	return skippedCount === 0 ? [] : [{ code: "BYTES_SKIPPED", message: `${skippedCount} values are encoded bytes and were left out` }];
}

function lineAt(text: string, offset: number): number {
	let line = 1;
	for (let next = text.indexOf("\n"); next >= 0 && next < offset; next = text.indexOf("\n", next + 1)) line++;
	return line;
}
