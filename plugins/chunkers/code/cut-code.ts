/** Splits source code along its syntax: whole functions and classes where they fit, else their parts. */

import { nameOf } from "./name-of.ts";
import { type CodeLine, scanLines } from "./scan-lines.ts";
import { plainLanguage, syntaxOf } from "./syntax.ts";

export interface CodePiece {
	/** Offsets in the text. */
	readonly begin: number;
	readonly end: number;
	/** Names of the enclosing declarations, outermost first, and its own when it is a single declaration. */
	readonly path: readonly string[];
	/** Names of the enclosing declarations only. */
	readonly scope: readonly string[];
}

export interface CodeRoom {
	/** The desired size. */
	readonly target: number;
	/** A function up to this size is not split. */
	readonly most: number;
}

const smallShare = 0.2;
/** Deeper code is split between lines. Each level is another pass over the code that did not fit. */
const depthMax = 20;
const headCharactersMax = 250;

/** Continues the statement before it: a closing bracket, the next branch, a body on a line of its own. */
const continuing =
	/^(?:[)\]}{]|(?:end|else|elif|elsif|elseif|except|finally|rescue|ensure|catch|then|do|fi|done|esac|and|or|in|where|deriving)\b|(?:public|private|protected)\s*:|\|>|\.\w|&&|\|\||[?:]\s)/;
/** Belongs to the declaration below: decorators, attributes, parameters of templates. */
const leading = /^(?:@(?!media\b|import\b|font-face\b|keyframes\b)[\w.]|#\[|\[[A-Z]\w*|template\s*<)/;

export function cutCode(text: string, language: string | null, room: CodeRoom): readonly CodePiece[] {
	const plain = plainLanguage(language);
	const lines = scanLines(text, syntaxOf(plain));
	return packed(new Cutter(text, plain, lines, room).cut(0, lines.length, [], 0), room.target);
}

interface Unit {
	/** Lines, the last excluded. */
	readonly from: number;
	to: number;
	/** The line of the declaration, after comments and decorators. */
	head: number;
	isLeading: boolean;
}

class Cutter {
	readonly #text: string;
	readonly #language: string;
	readonly #lines: readonly CodeLine[];
	readonly #room: CodeRoom;
	/** SQL statements span lines and are separated only by their terminator. */
	readonly #needsEnd: boolean;

	constructor(text: string, language: string, lines: readonly CodeLine[], room: CodeRoom) {
		this.#text = text;
		this.#language = language;
		this.#lines = lines;
		this.#room = room;
		this.#needsEnd = language === "sql";
	}

	cut(from: number, to: number, path: readonly string[], depth: number): readonly CodePiece[] {
		return this.#units(from, to).flatMap((unit) => this.#cutUnit(unit, path, depth));
	}

	#cutUnit(unit: Unit, path: readonly string[], depth: number): readonly CodePiece[] {
		const nameless = this.#piece(unit.from, unit.to, path);
		if (nameless === null) return [];
		const length = nameless.end - nameless.begin;
		// Small units are joined with their neighbours, under the names of their scope.
		if (length < this.#room.target * smallShare) return [nameless];
		const declared = nameOf(this.#headOf(unit), this.#language);
		const own = declared === null ? path : [...path, declared.name];
		const whole = { ...nameless, path: own };
		if (length <= this.#room.target || (length <= this.#room.most && declared?.isContainer !== true) || depth >= depthMax) return [whole];
		const inner = this.#innerStart(unit);
		if (inner === null) return [whole];
		const parts = this.cut(inner, unit.to, own, depth + 1);
		const head = this.#piece(unit.from, inner, own);
		const [first, ...rest] = parts;
		if (head === null || first === undefined) return parts.length === 0 ? [whole] : parts;
		if (first.end - head.begin > this.#room.target) return [head, ...parts];
		const isMostlyFirst = (first.end - first.begin) * 2 > first.end - head.begin;
		return [{ begin: head.begin, end: first.end, path: isMostlyFirst ? first.path : own, scope: own }, ...rest];
	}

	/** The units at the lowest nesting level of these lines. */
	#units(from: number, to: number): readonly Unit[] {
		const { level, indent } = this.#base(from, to);
		const units: Unit[] = [];
		let comment = -1;
		let isUnended = false;
		for (let at = from; at < to; at++) {
			const line = this.#lines[at];
			if (line === undefined || line.kind === "blank") continue;
			const open = units.at(-1);
			const isLow = line.level <= level && line.indent <= indent && line.kind !== "inside";
			if ((isLow || comment >= 0) && line.kind === "comment" && open?.isLeading !== true) {
				if (comment < 0) comment = at;
				continue;
			}
			const start = this.#text.slice(line.begin, Math.min(line.end, line.begin + headCharactersMax)).trimStart();
			const begins = isLow && line.kind === "code" && !continuing.test(start) && !(this.#needsEnd && isUnended);
			isUnended = !this.#text.slice(line.begin, line.end).trimEnd().endsWith(";");
			if (begins && open?.isLeading === true) {
				open.head = at;
				open.isLeading = leading.test(start);
			} else if (begins || open === undefined) {
				const first = comment >= 0 ? comment : at;
				if (open !== undefined) open.to = first;
				units.push({ from: open === undefined ? from : first, to, head: at, isLeading: leading.test(start) });
			}
			comment = -1;
		}
		if (units.length === 0 && comment >= 0) units.push({ from, to, head: comment, isLeading: false });
		return units;
	}

	#base(from: number, to: number): { readonly level: number; readonly indent: number } {
		let level = Number.POSITIVE_INFINITY;
		let indent = Number.POSITIVE_INFINITY;
		for (let at = from; at < to; at++) {
			const line = this.#lines[at];
			if (line?.kind !== "code" || continuing.test(this.#text.slice(line.begin, Math.min(line.end, line.begin + headCharactersMax)).trimStart())) continue;
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

	/** Without blank lines around it; null when nothing is left. */
	#piece(from: number, to: number, path: readonly string[]): CodePiece | null {
		let [first, last] = [from, to - 1];
		while (first <= last && this.#lines[first]?.kind === "blank") first++;
		while (last >= first && this.#lines[last]?.kind === "blank") last--;
		const [begin, end] = [this.#lines[first]?.begin, this.#lines[last]?.end];
		return first > last || begin === undefined || end === undefined ? null : { begin, end, path, scope: path };
	}
}

/** Joins small neighbours of the same scope. */
function packed(pieces: readonly CodePiece[], target: number): readonly CodePiece[] {
	const done: CodePiece[] = [];
	for (const piece of pieces) {
		const last = done.at(-1);
		if (last !== undefined && piece.end - last.begin <= target && isSame(piece.scope, last.scope))
			done[done.length - 1] = { begin: last.begin, end: piece.end, path: last.scope, scope: last.scope };
		else done.push(piece);
	}
	return done;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((name, at) => name === other[at]);
}
