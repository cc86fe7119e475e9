/** MathML writes parentheses as plain operators; those around something tall become fences, which grow with their content. */

import { type Formula, rowOf } from "../blocks/formula.ts";

const closing: ReadonlyMap<string, string> = new Map([
	["(", ")"],
	["[", "]"],
	["{", "}"],
	["⟨", "⟩"],
	["⌈", "⌉"],
	["⌊", "⌋"],
	["|", "|"],
	["‖", "‖"],
]);

/** The search is quadratic, so longer rows are left as they are. */
const partsMax = 2_000;

export function withFences(parts: readonly Formula[]): Formula {
	if (parts.length > partsMax) return rowOf(parts);
	const row: Formula[] = [];
	for (let at = 0; at < parts.length; at++) {
		const part = parts[at] as Formula;
		const open = signOf(part);
		const end = closing.has(open) ? endOf(parts, at, open) : null;
		if (end === null) {
			row.push(part);
			continue;
		}
		const inside = parts.slice(at + 1, end);
		const close = signOf(parts[end]);
		const isMeant = isGrid(inside) || (open !== close && inside.some(isTall));
		if (isMeant) row.push({ kind: "fence", open, close, separator: "", parts: [withFences(inside)] });
		else row.push(part, withFences(inside), ...parts.slice(end, end + 1));
		at = close === "" ? end - 1 : end;
	}
	return rowOf(row.length === 1 ? row : row.flatMap((part) => (part.kind === "row" ? part.parts : [part])));
}

function signOf(part: Formula | undefined): string {
	return part?.kind === "letters" ? part.text : "";
}

/** Where the fence ends: at the closing delimiter, or right behind an equation system that has only an opening brace. */
function endOf(parts: readonly Formula[], from: number, open: string): number | null {
	const close = closing.get(open);
	let depth = 0;
	for (let at = from + 1; at < parts.length; at++) {
		const sign = signOf(parts[at]);
		if (sign === close && depth === 0) return at;
		if (sign === close) depth--;
		else if (sign === open) depth++;
	}
	return open === "{" && isGrid(parts.slice(from + 1, from + 2)) ? from + 2 : null;
}

function isGrid(parts: readonly Formula[]): boolean {
	return parts.length === 1 && parts[0]?.kind === "grid";
}

function isTall(part: Formula): boolean {
	switch (part.kind) {
		case "fraction":
		case "grid":
		case "stack":
			return true;
		case "row":
			return part.parts.some(isTall);
		case "scripts":
			return isTall(part.base);
		case "root":
		case "accent":
		case "box":
			return isTall(part.inside);
		case "fence":
			return part.parts.some(isTall);
		default:
			return false;
	}
}
