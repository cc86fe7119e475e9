/** Splits source code along its syntax: into whole functions and classes if they fit, otherwise into their parts. */

import { nameOf } from "./name-of.ts";
import { type CodeLine, scanLines } from "./scan-lines.ts";
import { languageName, syntaxOf } from "./syntax.ts";

export interface CodePiece {
	/** Offsets in the text. */
	readonly begin: number;
	readonly end: number;
	/** Names of the enclosing declarations, outermost first; a piece that is one declaration adds its own name. */
	readonly path: readonly string[];
	/** Names of the enclosing declarations only. */
	readonly scope: readonly string[];
}

/** Sizes in characters. */
export interface CodeSizes {
	/** The desired size of a piece. */
	readonly target: number;
	/** A function up to this size is not split. */
	readonly max: number;
}

/** A unit smaller than this share of the target is merged with its neighbours. */
const smallShare = 0.2;
/** Code nested more deeply is split between lines. Each level is another pass over the code that did not fit. */
const depthMax = 20;
/** How many characters of a declaration are searched for its name. */
const headCharactersMax = 250;

/** Matches a line that continues the statement before it: a closing bracket, the next branch, a body on its own line. */
const continuation =
	/^(?:[)\]}{]|(?:end|else|elif|elsif|elseif|except|finally|rescue|ensure|catch|then|do|fi|done|esac|and|or|in|where|deriving)\b|(?:public|private|protected)\s*:|\|>|\.\w|&&|\|\||[?:]\s)/;
/** Matches a line that belongs to the declaration below it: a decorator, an attribute, template parameters. */
const prefixLine = /^(?:@(?!media\b|import\b|font-face\b|keyframes\b)[\w.]|#\[|\[[A-Z]\w*|template\s*<)/;

export function cutCode(text: string, language: string | null, sizes: CodeSizes): readonly CodePiece[] {
	const name = languageName(language);
	const lines = scanLines(text, syntaxOf(name));
	return mergeSmall(new Cutter(text, name, lines, sizes).cut(0, lines.length, [], 0), sizes.target);
}

interface Unit {
	/** Indices of lines; `to` is exclusive. */
	readonly from: number;
	to: number;
	/** Index of the line with the declaration, after comments and decorators. */
	head: number;
	/** Whether only decorators and the like have been read so far. */
	isLeading: boolean;
}

class Cutter {
	readonly #text: string;
	readonly #language: string;
	readonly #lines: readonly CodeLine[];
	readonly #sizes: CodeSizes;
	/** SQL statements span lines and are separated only by their terminator. */
	readonly #needsTerminator: boolean;

	constructor(text: string, language: string, lines: readonly CodeLine[], sizes: CodeSizes) {
		this.#text = text;
		this.#language = language;
		this.#lines = lines;
		this.#sizes = sizes;
		this.#needsTerminator = language === "sql";
	}

	cut(from: number, to: number, path: readonly string[], depth: number): readonly CodePiece[] {
		return this.#units(from, to).flatMap((unit) => this.#cutUnit(unit, path, depth));
	}

	#cutUnit(unit: Unit, path: readonly string[], depth: number): readonly CodePiece[] {
		const piece = this.#piece(unit.from, unit.to, path);
		if (piece === null) return [];
		const length = piece.end - piece.begin;
		// Small units keep the path of their scope, so that they can be merged with their neighbours.
		if (length < this.#sizes.target * smallShare) return [piece];
		const declared = nameOf(this.#headOf(unit), this.#language);
		const ownPath = declared === null ? path : [...path, declared.name];
		const whole = { ...piece, path: ownPath };
		if (length <= this.#sizes.target || (length <= this.#sizes.max && declared?.isContainer !== true) || depth >= depthMax) return [whole];
		const inner = this.#innerStart(unit);
		if (inner === null) return [whole];
		const parts = this.cut(inner, unit.to, ownPath, depth + 1);
		const head = this.#piece(unit.from, inner, ownPath);
		const [first, ...rest] = parts;
		if (head === null || first === undefined) return parts.length === 0 ? [whole] : parts;
		if (first.end - head.begin > this.#sizes.target) return [head, ...parts];
		const isMostlyFirst = (first.end - first.begin) * 2 > first.end - head.begin;
		return [{ begin: head.begin, end: first.end, path: isMostlyFirst ? first.path : ownPath, scope: ownPath }, ...rest];
	}

	/** The statements at the lowest nesting level of these lines, each with the comments and decorators above it. */
	#units(from: number, to: number): readonly Unit[] {
		const { level, indent } = this.#base(from, to);
		const units: Unit[] = [];
		let comment = -1;
		let isUnterminated = false;
		for (let at = from; at < to; at++) {
			const line = this.#lines[at];
			if (line === undefined || line.kind === "blank") continue;
			const current = units.at(-1);
			const isBaseLevel = line.level <= level && line.indent <= indent && line.kind !== "inside";
			if ((isBaseLevel || comment >= 0) && line.kind === "comment" && current?.isLeading !== true) {
				if (comment < 0) comment = at;
				continue;
			}
			const start = this.#text.slice(line.begin, Math.min(line.end, line.begin + headCharactersMax)).trimStart();
			const isUnitStart = isBaseLevel && line.kind === "code" && !continuation.test(start) && !(this.#needsTerminator && isUnterminated);
			isUnterminated = !this.#text.slice(line.begin, line.end).trimEnd().endsWith(";");
			if (isUnitStart && current?.isLeading === true) {
				current.head = at;
				current.isLeading = prefixLine.test(start);
			} else if (isUnitStart || current === undefined) {
				const first = comment >= 0 ? comment : at;
				if (current !== undefined) current.to = first;
				units.push({ from: current === undefined ? from : first, to, head: at, isLeading: prefixLine.test(start) });
			}
			comment = -1;
		}
		if (units.length === 0 && comment >= 0) units.push({ from, to, head: comment, isLeading: false });
		return units;
	}

	/** The lowest nesting level of these lines, and the smallest indentation on it. */
	#base(from: number, to: number): { readonly level: number; readonly indent: number } {
		let level = Number.POSITIVE_INFINITY;
		let indent = Number.POSITIVE_INFINITY;
		for (let at = from; at < to; at++) {
			const line = this.#lines[at];
			if (line?.kind !== "code" || continuation.test(this.#text.slice(line.begin, Math.min(line.end, line.begin + headCharactersMax)).trimStart())) continue;
			if (line.level < level) [level, indent] = [line.level, line.indent];
			else if (line.level === level) indent = Math.min(indent, line.indent);
		}
		return { level, indent };
	}

	/** The first line that is nested in the unit. */
	#innerStart({ head, to }: Unit): number | null {
		const level = this.#lines[head]?.level ?? 0;
		for (let at = head + 1; at < to; at++) {
			const line = this.#lines[at];
			if (line !== undefined && line.kind !== "blank" && line.kind !== "inside" && line.level > level) return at;
		}
		return null;
	}

	#headOf({ head, to }: Unit): string {
		const begin = this.#lines[head]?.begin ?? 0;
		const end = this.#lines[Math.min(to, head + 4) - 1]?.end ?? begin;
		return this.#text.slice(begin, Math.min(end, begin + headCharactersMax));
	}

	/** The lines without the blank ones around them; null if all are blank. */
	#piece(from: number, to: number, path: readonly string[]): CodePiece | null {
		let [first, last] = [from, to - 1];
		while (first <= last && this.#lines[first]?.kind === "blank") first++;
		while (last >= first && this.#lines[last]?.kind === "blank") last--;
		const [begin, end] = [this.#lines[first]?.begin, this.#lines[last]?.end];
		return first > last || begin === undefined || end === undefined ? null : { begin, end, path, scope: path };
	}
}

/** Merges neighbouring pieces of the same scope up to the target size. */
function mergeSmall(pieces: readonly CodePiece[], target: number): readonly CodePiece[] {
	const merged: CodePiece[] = [];
	for (const piece of pieces) {
		const last = merged.at(-1);
		if (last !== undefined && piece.end - last.begin <= target && isSamePath(piece.scope, last.scope))
			merged[merged.length - 1] = { begin: last.begin, end: piece.end, path: last.scope, scope: last.scope };
		else merged.push(piece);
	}
	return merged;
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((name, at) => name === other[at]);
}
