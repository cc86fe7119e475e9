/** The styles of a Word file: which are headings, and which are list items. */

import type { DocHead } from "./file-header.ts";
import { tableNumbers } from "./file-header.ts";
import { numberIn, type Setting, settingsIn } from "./formatting.ts";

export interface DocStyle {
	/** 1 to 9; null when it is no heading. */
	readonly heading: number | null;
	readonly isTitle: boolean;
	/** Its properties, after those of the style it is based on. */
	readonly settings: readonly Setting[];
}

export const codes = { outlineLevel: 0x2640, listLevel: 0x260a, list: 0x460b, isInTable: 0x2416, isRowEnd: 0x2417, tableDepth: 0x6649 } as const;

interface Written {
	readonly builtIn: number;
	readonly base: number;
	readonly settings: readonly Setting[];
}

const headingsMax = 9;
const title = 62;
const noBase = 0xfff;
/** How far styles may be based on each other. */
const depthMax = 20;
const plain: DocStyle = { heading: null, isTitle: false, settings: [] };

export function readStyles(head: DocHead): (number: number) => DocStyle {
	const table = head.table(tableNumbers.styles);
	// In old files only the style number is used: 1 to 9 are headings.
	if (head.isOld || table === null) return (number) => (number >= 1 && number <= headingsMax ? { ...plain, heading: number } : plain);
	const written = stylesIn(table);
	const known = new Map<number, DocStyle>();
	const find = (number: number, depth: number): DocStyle => {
		const found = known.get(number);
		const own = written[number];
		if (found !== undefined || own === undefined || own === null || depth > depthMax) return found ?? plain;
		const base = own.base === noBase || own.base === number ? plain : find(own.base, depth + 1);
		const settings = [...base.settings, ...own.settings];
		const outline = numberIn(own.settings, codes.outlineLevel);
		const isHeading = own.builtIn >= 1 && own.builtIn <= headingsMax;
		const inherited = outline === null ? base.heading : outline < headingsMax ? outline + 1 : null;
		const style = { heading: isHeading ? own.builtIn : inherited, isTitle: own.builtIn === title, settings };
		known.set(number, style);
		return style;
	};
	return (number) => find(number, 0);
}

function stylesIn(table: Buffer): readonly (Written | null)[] {
	const headLength = table.readUInt16LE(0);
	const count = table.readUInt16LE(2);
	const baseLength = table.readUInt16LE(4);
	const styles: (Written | null)[] = [];
	let at = 2 + headLength;
	for (let number = 0; number < count && at + 2 <= table.length; number++) {
		const length = table.readUInt16LE(at);
		const style = table.subarray(at + 2, at + 2 + length);
		styles.push(length < 10 ? null : styleOf(style, baseLength));
		at += 2 + length + (length & 1);
	}
	return styles;
}

function styleOf(style: Buffer, baseLength: number): Written {
	const kind = style.readUInt16LE(2) & 15;
	const nameLength = baseLength + 2 <= style.length ? style.readUInt16LE(baseLength) : 0;
	const start = baseLength + 2 + nameLength * 2 + 2;
	const isParagraph = kind === 1 && start + 4 <= style.length;
	const length = isParagraph ? style.readUInt16LE(start) : 0;
	return {
		builtIn: style.readUInt16LE(0) & 0xfff,
		base: style.readUInt16LE(2) >> 4,
		settings: length < 2 ? [] : settingsIn(style.subarray(start + 4, start + 2 + length)),
	};
}
