/** The styles of a Word file: which ones are headings, and which ones are list items. */

import type { DocHeader } from "./file-header.ts";
import { tableIds } from "./file-header.ts";
import { numberIn, type Setting, settingsIn } from "./formatting.ts";

export interface DocStyle {
	/** 1 to 9; null if the style is not a heading. */
	readonly heading: number | null;
	readonly isTitle: boolean;
	/** Its properties, after those of the style it is based on. */
	readonly settings: readonly Setting[];
}

export const codes = { outlineLevel: 0x2640, listLevel: 0x260a, list: 0x460b, isInTable: 0x2416, isRowEnd: 0x2417, tableDepth: 0x6649 } as const;

interface StoredStyle {
	readonly builtIn: number;
	readonly base: number;
	readonly settings: readonly Setting[];
}

const headingsMax = 9;
const titleStyle = 62;
const noBase = 0xfff;
/** Limits the chain of base styles, which may be circular in a damaged file. */
const depthMax = 20;
const defaultStyle: DocStyle = { heading: null, isTitle: false, settings: [] };

export function readStyles(header: DocHeader): (number: number) => DocStyle {
	const table = header.table(tableIds.styles);
	// For Word 6 and 95 only the style number is used: 1 to 9 are headings.
	if (header.isBeforeWord97 || table === null) return (number) => (number >= 1 && number <= headingsMax ? { ...defaultStyle, heading: number } : defaultStyle);
	const storedStyles = stylesIn(table);
	const resolved = new Map<number, DocStyle>();
	const resolve = (number: number, depth: number): DocStyle => {
		const cached = resolved.get(number);
		const stored = storedStyles[number];
		if (cached !== undefined || stored === undefined || stored === null || depth > depthMax) return cached ?? defaultStyle;
		const base = stored.base === noBase || stored.base === number ? defaultStyle : resolve(stored.base, depth + 1);
		const settings = [...base.settings, ...stored.settings];
		const outline = numberIn(stored.settings, codes.outlineLevel);
		const isHeading = stored.builtIn >= 1 && stored.builtIn <= headingsMax;
		const inherited = outline === null ? base.heading : outline < headingsMax ? outline + 1 : null;
		const style = { heading: isHeading ? stored.builtIn : inherited, isTitle: stored.builtIn === titleStyle, settings };
		resolved.set(number, style);
		return style;
	};
	return (number) => resolve(number, 0);
}

function stylesIn(table: Buffer): readonly (StoredStyle | null)[] {
	const headerLength = table.readUInt16LE(0);
	const count = table.readUInt16LE(2);
	const baseLength = table.readUInt16LE(4);
	const styles: (StoredStyle | null)[] = [];
	let offset = 2 + headerLength;
	for (let number = 0; number < count && offset + 2 <= table.length; number++) {
		const length = table.readUInt16LE(offset);
		const style = table.subarray(offset + 2, offset + 2 + length);
		styles.push(length < 10 ? null : styleOf(style, baseLength));
		offset += 2 + length + (length & 1);
	}
	return styles;
}

function styleOf(style: Buffer, baseLength: number): StoredStyle {
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
