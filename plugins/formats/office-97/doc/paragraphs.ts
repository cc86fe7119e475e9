/** The characters of a Word file → paragraphs, without field codes and hidden text. */

import { isWebAddress, joinPieces, type Piece } from "../../blocks/inline-text.ts";
import type { DocHead } from "./file-header.ts";
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
	/** The mark it ends with. */
	readonly end: "paragraph" | "cell" | "row";
	/** How many tables it is nested in. */
	readonly depth: number;
}

const fieldBegins = "\u0013";
const fieldShows = "\u0014";
const fieldEnds = "\u0015";
const cellMark = "\u0007";

/** Control characters and what they become: breaks, hyphens, or nothing. */
const signs: Readonly<Record<string, string>> = { "\v": "\n", "\u000e": "\n", "\u001e": "-", "\u001f": "", "\u00ad": "", "\u00a0": " " };

interface Field {
	command: string;
	isCommand: boolean;
	/** The target of a hyperlink field. */
	address: string | null;
}

/** Limits for nested fields and field codes, beyond any real document. */
const fieldsMax = 50;
const commandCharactersMax = 4_000;

/** Called at the separator: from here on the field's result follows. */
function show(field: Field | undefined): void {
	if (field === undefined) return;
	field.isCommand = false;
	const address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.command)?.[1] ?? null;
	field.address = address !== null && isWebAddress(address) ? address : null;
}

/** Reads the parts of the text in order, as a field may begin in one paragraph and end in another. */
export function paragraphReader(main: Buffer, head: DocHead, text: DocText): (from: number, to: number) => Generator<DocParagraph> {
	const formattings = paragraphFormatting(main, head);
	const styles = readStyles(head);
	const marksAt = characterMarks(main, head);

	return function* read(from, to) {
		const fields: Field[] = [];
		let pieces: Piece[] = [];
		let wasCell = false;
		const say = (sign: string, { isGone, isBold, isItalic, script }: Marks) => {
			const shown = signs[sign] ?? (sign < " " && sign !== "\t" ? "" : sign);
			if (isGone || shown === "") return;
			const address = fields.find((field) => field.address !== null)?.address ?? null;
			const last = pieces.at(-1);
			const isAlike = last?.isBold === isBold && last.isItalic === isItalic && last.script === script && last.address === address;
			if (last !== undefined && isAlike) pieces[pieces.length - 1] = { ...last, text: last.text + shown };
			else pieces.push({ text: shown, isBold, isItalic, address, script });
		};
		const end = Math.min(to, text.characters.length);
		for (let at = from; at < end; at++) {
			const sign = text.characters[at] ?? "";
			if (sign === fieldBegins && fields.length < fieldsMax) fields.push({ command: "", isCommand: true, address: null });
			else if (sign === fieldShows) show(fields.at(-1));
			else if (sign === fieldEnds) fields.pop();
			if (sign === fieldBegins || sign === fieldShows || sign === fieldEnds) continue;
			const isEnd = sign === "\r" || sign === cellMark || sign === "\f";
			if (!isEnd) {
				const command = fields.find(({ isCommand }) => isCommand);
				if (command === undefined) say(sign, marksAt(text.placeOf(at)));
				else if (command.command.length < commandCharactersMax) command.command += sign;
				continue;
			}
			const words = joinPieces(pieces);
			const formatting = formattings(text.placeOf(at));
			const style = styles(formatting?.style ?? 0);
			const settings = [...style.settings, ...(formatting?.settings ?? [])];
			// Without a property for it, the end of a row is an empty cell.
			const isRowEnd: boolean = sign === cellMark && (numberIn(settings, codes.isRowEnd) === 1 || (settings.length === 0 && wasCell && words.text === ""));
			const isInTable = sign === cellMark || numberIn(settings, codes.isInTable) === 1;
			yield {
				...words,
				style,
				settings,
				end: isRowEnd ? "row" : sign === cellMark ? "cell" : "paragraph",
				depth: isInTable ? Math.max(1, numberIn(settings, codes.tableDepth) ?? 1) : 0,
			};
			pieces = [];
			wasCell = sign === cellMark && !isRowEnd;
		}
		const words = joinPieces(pieces);
		if (words.text !== "") yield { ...words, style: styles(0), settings: [], end: "paragraph", depth: 0 };
	};
}
