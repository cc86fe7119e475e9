/** MathML writes parentheses as plain operators. Those around tall content are converted to fences, which grow with their content. */

import { type Formula, rowOf } from "../blocks/formula.ts";

const closingByOpening: ReadonlyMap<string, string> = new Map([
	["(", ")"],
	["[", "]"],
	["{", "}"],
	["⟨", "⟩"],
	["⌈", "⌉"],
	["⌊", "⌋"],
	["|", "|"],
	["‖", "‖"],
]);

/** The search takes quadratic time, so longer rows are returned unchanged. */
const partsMax = 2_000;

export function withFences(parts: readonly Formula[]): Formula {
	if (parts.length > partsMax) return rowOf(parts);
	const row: Formula[] = [];
	for (let index = 0; index < parts.length; index++) {
		const part = parts[index] as Formula;
		const open = delimiterOf(part);
		const end = closingByOpening.has(open) ? endOf(parts, index, open) : null;
		if (end === null) {
			row.push(part);
			continue;
		}
		const content = parts.slice(index + 1, end);
		const close = delimiterOf(parts[end]);
		const isFence = isGrid(content) || (open !== close && content.some(isTall));
		if (isFence) row.push({ kind: "fence", open, close, separator: "", parts: [withFences(content)] });
		else row.push(part, withFences(content), ...parts.slice(end, end + 1));
		index = close === "" ? end - 1 : end;
	}
	return rowOf(row.length === 1 ? row : row.flatMap((part) => (part.kind === "row" ? part.parts : [part])));
}

function delimiterOf(part: Formula | undefined): string {
	return part?.kind === "symbols" ? part.text : "";
}

/** The index at which the fence ends: at the closing delimiter, or right after an equation system that has only an opening brace. Else null. */
function endOf(parts: readonly Formula[], start: number, open: string): number | null {
	const close = closingByOpening.get(open);
	let depth = 0;
	for (let index = start + 1; index < parts.length; index++) {
		const delimiter = delimiterOf(parts[index]);
		if (delimiter === close && depth === 0) return index;
		if (delimiter === close) depth--;
		else if (delimiter === open) depth++;
	}
	return open === "{" && isGrid(parts.slice(start + 1, start + 2)) ? start + 2 : null;
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
			return isTall(part.content);
		case "fence":
			return part.parts.some(isTall);
		default:
			return false;
	}
}
