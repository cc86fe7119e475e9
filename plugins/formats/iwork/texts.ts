/** Adds a text of Pages or Keynote paragraph by paragraph: headings by the names of their styles, tables where they stand in it. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { fieldOf, type ObjectStore, referencesIn, textOf, wholeText } from "./object-store.ts";
import { fieldsOf } from "./protobuf.ts";
import { remembered } from "./remembered.ts";
import type { TableReader } from "./tables.ts";

const types = { attachment: 2003, paragraphStyle: 2022 } as const;
export const textTypes: readonly number[] = Object.values(types);

/** The kinds of texts. Those of text boxes have none. */
export const kinds = { body: 0, note: 4 } as const;

export interface Text {
	readonly kind: number | null;
	readonly message: Uint8Array;
}

export interface TextTarget {
	readonly objects: ObjectStore;
	readonly tables: TableReader;
	readonly outline: Outline;
	readonly styleOf: (id: number) => Style;
	/** The attachments that were added. */
	readonly attached: Set<number>;
}

interface Style {
	/** Null for no heading. */
	readonly level: number | null;
	/** The style that it is a variation of, which says what it is; null if it says so itself. */
	readonly parent: number | null;
}

export function createTextTarget(objects: ObjectStore, tables: TableReader, outline: Outline): TextTarget {
	return { objects, tables, outline, styleOf: remembered((id) => readStyle(id, objects)), attached: new Set() };
}

/** In English in every language. A style of the user's own has none and goes by its name. */
const styleIdentifier = /paragraphstyle-(.+)$/;
/** `Title`, `Subtitle`, `Heading`, `Heading 2`. */
const headingStyle = /^(?:(title)|(?:subtitle|subheading)|heading\s*(\d)?)$/i;
/** A style may be a variation of another, and that of a third. */
const parentsMax = 8;
/** Pictures and tables stand as this sign in the text. */
const anchor = "\uFFFC";

export function addText({ kind, message }: Text, place: Place, target: TextTarget): void {
	const { outline, styleOf } = target;
	const text = wholeText(message, 3);
	const styles = entriesIn(message, 5); // table_para_style
	const attachments = new Map(entriesIn(message, 9)); // table_attachment
	let next = 0;
	let level: number | null = null;
	// Breaks of pages and sections are control characters.
	for (const { 0: line, index } of text.matchAll(/[^\n\u2028\u2029\p{Cc}]+/gu)) {
		for (; (styles[next]?.[0] ?? Number.POSITIVE_INFINITY) <= index; next++) level = headingLevel(styles[next]?.[1] ?? 0, styleOf);
		const shown = line.replaceAll(anchor, "").trim();
		if (shown !== "" && level !== null && kind !== kinds.note) outline.heading(level, shown, { place });
		else if (shown !== "") outline.paragraph((kind === kinds.note ? "Notes: " : "") + shown, { place });
		for (let at = line.indexOf(anchor); at >= 0; at = line.indexOf(anchor, at + 1)) addAttached(attachments.get(index + at) ?? 0, place, target);
	}
}

function addAttached(id: number, place: Place, { objects, tables, attached }: TextTarget): void {
	if (attached.has(id)) return;
	attached.add(id);
	for (const drawable of referencesIn(objects.get(id, types.attachment) ?? new Uint8Array(), 1)) tables.add(drawable, () => place);
}

/** Where in the text an object begins to hold, in order. */
function entriesIn(message: Uint8Array, field: number): readonly (readonly [at: number, object: number])[] {
	const table = fieldOf(message, field)?.bytes ?? new Uint8Array();
	const entries: (readonly [number, number])[] = [];
	for (const { number, bytes } of fieldsOf(table)) if (number === 1) entries.push([fieldOf(bytes, 1)?.value ?? 0, referencesIn(bytes, 2)[0] ?? 0]);
	return entries.sort(([one], [other]) => one - other);
}

/** Null for a style of no heading. */
function headingLevel(style: number, styleOf: TextTarget["styleOf"]): number | null {
	let found = styleOf(style);
	for (let depth = 1; depth < parentsMax && found.parent !== null; depth++) found = styleOf(found.parent);
	return found.level;
}

function readStyle(id: number, objects: ObjectStore): Style {
	const common = fieldOf(objects.get(id, types.paragraphStyle) ?? new Uint8Array(), 1)?.bytes; // super
	if (common === undefined) return { level: null, parent: null };
	const name = styleIdentifier.exec(textOf(common, 2))?.[1] ?? textOf(common, 1);
	if (name === "") return { level: null, parent: referencesIn(common, 3)[0] ?? 0 }; // parent
	return { level: levelOf(headingStyle.exec(name) ?? headingStyle.exec(textOf(common, 1))), parent: null };
}

function levelOf(found: RegExpExecArray | null): number | null {
	if (found === null) return null;
	const [, title, number] = found;
	if (title !== undefined) return 1;
	return Math.min(6, 1 + Math.max(1, Number(number ?? 1)));
}
