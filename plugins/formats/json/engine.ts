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
import { type JsonReading, longCharactersMin, parseJson, passedRecord } from "./json-reader.ts";

export interface JsonInput {
	readonly content: Content;
	readonly form: "json" | "lines";
}

const reportEveryLines = 1_000;

interface Facts {
	readonly title: string | null;
	readonly description: string | null;
	readonly warnings: readonly Warning[];
}

const nothing: Facts = { title: null, description: null, warnings: [] };

const engine: Engine<JsonInput, PackedSandboxResult> = async ({ content, form }, report) => {
	const text = readText(content);
	const writer = createExtractionWriter();
	const outline = outlineInto(writer);
	const reportAt = (at: number) => report({ done: at, total: text.length, unit: "character" });
	const whole = form === "lines" ? null : parseJson(text, 0, { report: reportAt });
	const isLines = whole === null || isFirstOfMany(whole, text);
	const { title, description, warnings } = isLines ? addLines(text, outline, writer, reportAt) : addWhole(whole, text, outline);
	// A single number, or empty brackets, is shown as written.
	if (writer.count() === 0) for (const block of paragraphsOf(text)) writer.add(block);
	return { extraction: writer.complete({ titles: [title], description, type: "text" }), warnings: [...writer.warnings(), ...warnings] };
};
export default engine;

/** Whether it is JSON Lines, whatever its name: the first value is complete, and another begins on the next line. */
function isFirstOfMany({ damage, end }: JsonReading, text: string): boolean {
	return damage === null && /^[^\S\n]*\n\s*[{[]/.test(text.slice(end, end + 1_000));
}

function addWhole({ value, damage, end, deep }: JsonReading, text: string, outline: OutlineWriter): Facts {
	const data = createDataOutline(outline);
	if (value !== null) data.add(value);
	data.close();
	const rest = text.slice(damage?.at ?? end);
	for (const block of paragraphsOf(rest)) outline.paragraph(block.text);
	const wrong = damage ?? (rest.trim() === "" ? null : { message: "something follows its end", at: end });
	const warnings = [
		...(wrong === null ? [] : [{ code: "JSON_BROKEN", message: `${wrong.message}, in line ${lineAt(text, wrong.at)}; what follows was read as plain text` }]),
		...depthWarning(deep),
		...bytesWarning(data.bytesSkipped()),
	];
	if (value === null || isScalar(value)) return { ...nothing, warnings };
	return { title: scalarAt(value, "title") ?? scalarAt(value, "name"), description: scalarAt(value, "description"), warnings };
}

/** Similar lines become table rows with their line number, others paragraphs. A line that is no JSON is kept as text. */
function addLines(text: string, outline: OutlineWriter, { isFull }: ExtractionWriter, reportAt: (at: number) => void): Facts {
	const { values, lines, broken, firstBroken, deep } = readLines(text, reportAt);
	const data = createDataOutline(outline);
	const table = tableOf(values.filter((value) => value !== null));
	let row = 0;
	let rows: OpenTable | null = null;
	let odd: string[] = [];
	const endTable = () => {
		rows?.end();
		rows = null;
	};
	const endOdd = () => {
		outline.paragraph(odd.join("\n"));
		odd = [];
	};
	for (const [index, value] of values.entries()) {
		if (isFull()) break;
		const line = lines[index];
		if (value !== null) endOdd();
		if (value !== null && table !== null) {
			rows ??= outline.openTable(table.header);
			rows.add({ cells: table.rowAt(row++), place: { row: line?.number ?? 1 } });
			continue;
		}
		endTable();
		if (value === null) odd.push(line?.text ?? "");
		else data.add(value);
		data.close();
	}
	endTable();
	endOdd();
	const warnings = [
		...(broken === 0
			? []
			: [{ code: "JSON_LINES_BROKEN", message: `${broken} lines are not JSON and were read as plain text, the first is line ${firstBroken}` }]),
		...depthWarning(deep),
		...bytesWarning(data.bytesSkipped()),
	];
	return { ...nothing, warnings };
}

interface Lines {
	/** One for each line; null for a line that is no JSON. */
	readonly values: readonly (DataValue | null)[];
	readonly lines: readonly { readonly text: string; readonly number: number }[];
	readonly broken: number;
	readonly firstBroken: number;
	readonly deep: number;
}

function readLines(text: string, reportAt: (at: number) => void): Lines {
	const values: (DataValue | null)[] = [];
	const lines: { readonly text: string; readonly number: number }[] = [];
	let broken = 0;
	let firstBroken = 0;
	let deep = 0;
	let at = 0;
	const names = new Map<string, string>();
	const isLong = text.length >= longCharactersMin;
	for (const [index, line] of text.split("\n").entries()) {
		at += line.length + 1;
		if (line.trim() === "") continue;
		if (index % reportEveryLines === 0) reportAt(at);
		const reading = parseJson(line, 0, { names });
		const isWhole = reading.damage === null && line.slice(reading.end).trim() === "";
		if (!isWhole) firstBroken ||= index + 1;
		if (!isWhole) broken++;
		deep += reading.deep;
		const value = isWhole ? reading.value : null;
		values.push(isLong && value !== null && isRecord(value) ? passedRecord(line, names) : value);
		lines.push({ text: line, number: index + 1 });
	}
	return { values, lines, broken, firstBroken, deep };
}

function depthWarning(deep: number): readonly Warning[] {
	return deep === 0 ? [] : [{ code: "JSON_TOO_DEEP", message: "values that are nested too deeply are shown as they are written" }];
}

function bytesWarning(skipped: number): readonly Warning[] {
	return skipped === 0 ? [] : [{ code: "BYTES_SKIPPED", message: `${skipped} values hold bytes written in letters and were left out` }];
}

function lineAt(text: string, at: number): number {
	let line = 1;
	for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) line++;
	return line;
}
