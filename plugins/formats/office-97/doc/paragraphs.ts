/** Splits the characters of a Word file into paragraphs, without field codes and hidden text. */

import { isExternalUrl, joinPieces, type Piece } from "../../blocks/inline-text.ts";
import type { DocHeader } from "./file-header.ts";
import { characterMarks, type Marks, numberIn, paragraphFormatting, type Setting } from "./formatting.ts";
import type { DocText } from "./pieces.ts";
import { codes, type DocStyle, readStyles } from "./styles.ts";

export interface DocParagraph {
	readonly text: string;
	/** With links and emphasis. */
	readonly markdown: string;
	readonly style: DocStyle;
	/** Direct properties, after those of its style. */
	readonly settings: readonly Setting[];
	/** What the mark at its end closes. */
	readonly end: "paragraph" | "cell" | "row";
	/** How many tables it is nested in; 0 outside of tables. */
	readonly depth: number;
}

const fieldBegin = "\u0013";
const fieldSeparator = "\u0014";
const fieldEnd = "\u0015";
const cellMark = "\u0007";

/** Replacements of control characters: line breaks, hyphens, spaces, or nothing. */
const replacements: Readonly<Record<string, string>> = { "\v": "\n", "\u000e": "\n", "\u001e": "-", "\u001f": "", "\u00ad": "", "\u00a0": " " };

interface Field {
	command: string;
	isCommand: boolean;
	/** The target of a hyperlink field. */
	url: string | null;
}

/** Limits for nested fields and field codes, beyond any real document. */
const fieldsMax = 50;
const commandCharactersMax = 4_000;

/** To be called at the separator of a field, after which its result follows. */
function beginResult(field: Field | undefined): void {
	if (field === undefined) return;
	field.isCommand = false;
	const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.command)?.[1] ?? null;
	field.url = url !== null && isExternalUrl(url) ? url : null;
}

/** Returns a function that reads a range of the text. It reads in order, since a field may begin in one paragraph and end in another. */
export function paragraphReader(main: Buffer, header: DocHeader, text: DocText): (start: number, stop: number) => Generator<DocParagraph> {
	const formattings = paragraphFormatting(main, header);
	const styles = readStyles(header);
	const marksAt = characterMarks(main, header);

	return function* read(start, stop) {
		const fields: Field[] = [];
		let pieces: Piece[] = [];
		let wasCell = false;
		const addCharacter = (character: string, { isRemoved, isBold, isItalic, script }: Marks) => {
			const shownText = replacements[character] ?? (character < " " && character !== "\t" ? "" : character);
			if (isRemoved || shownText === "") return;
			const url = fields.find((field) => field.url !== null)?.url ?? null;
			const last = pieces.at(-1);
			const hasSameFormatting = last?.isBold === isBold && last.isItalic === isItalic && last.script === script && last.url === url;
			if (last !== undefined && hasSameFormatting) pieces[pieces.length - 1] = { ...last, text: last.text + shownText };
			else pieces.push({ text: shownText, isBold, isItalic, url, script });
		};
		const end = Math.min(stop, text.characters.length);
		for (let index = start; index < end; index++) {
			const character = text.characters[index] ?? "";
			if (character === fieldBegin && fields.length < fieldsMax) fields.push({ command: "", isCommand: true, url: null });
			else if (character === fieldSeparator) beginResult(fields.at(-1));
			else if (character === fieldEnd) fields.pop();
			if (character === fieldBegin || character === fieldSeparator || character === fieldEnd) continue;
			const isEnd = character === "\r" || character === cellMark || character === "\f";
			if (!isEnd) {
				const openField = fields.find(({ isCommand }) => isCommand);
				if (openField === undefined) addCharacter(character, marksAt(text.offsetOf(index)));
				else if (openField.command.length < commandCharactersMax) openField.command += character;
				continue;
			}
			const inline = joinPieces(pieces);
			const formatting = formattings(text.offsetOf(index));
			const style = styles(formatting?.style ?? 0);
			const settings = [...style.settings, ...(formatting?.settings ?? [])];
			// A file without properties marks the end of a row with an empty cell.
			const isRowEnd: boolean =
				character === cellMark && (numberIn(settings, codes.isRowEnd) === 1 || (settings.length === 0 && wasCell && inline.text === ""));
			const isInTable = character === cellMark || numberIn(settings, codes.isInTable) === 1;
			yield {
				...inline,
				style,
				settings,
				end: isRowEnd ? "row" : character === cellMark ? "cell" : "paragraph",
				depth: isInTable ? Math.max(1, numberIn(settings, codes.tableDepth) ?? 1) : 0,
			};
			pieces = [];
			wasCell = character === cellMark && !isRowEnd;
		}
		const inline = joinPieces(pieces);
		if (inline.text !== "") yield { ...inline, style: styles(0), settings: [], end: "paragraph", depth: 0 };
	};
}
