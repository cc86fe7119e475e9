/** LaTeX as people type it: without delimiters around it, and as plain words where nothing else is available. */

import { isFunctionName, signOfCommand } from "./latex-signs.ts";

const wrappers: readonly RegExp[] = [
	/^\$\$([\s\S]*)\$\$$/,
	/^\$([^$]*)\$$/,
	/^\\\(([\s\S]*)\\\)$/,
	/^\\\[([\s\S]*)\\\]$/,
	/^\{\s*\\(?:displaystyle|textstyle)\b([\s\S]*)\}$/,
	/^\\(?:displaystyle|textstyle)\b([\s\S]*)$/,
];

const layersMax = 4;

/** On one line, without comments, dollar signs and the size that a page sets it in. */
export function tidyTex(written: string): string {
	let tex = written
		.replace(/(?<!\\)%.*$/gm, "")
		.replace(/\s+/g, " ")
		.trim();
	for (let layer = 0; layer < layersMax; layer++) tex = unwrapped(tex) ?? tex;
	return tex;
}

function unwrapped(tex: string): string | null {
	for (const wrapper of wrappers) {
		const inside = wrapper.exec(tex)?.[1];
		if (inside !== undefined && isBalanced(inside)) return inside.trim();
	}
	return null;
}

/** `{\displaystyle a} + {b}` is not one thing in braces. */
function isBalanced(tex: string): boolean {
	let depth = 0;
	for (const [sign] of tex.matchAll(/\\.|[{}]/g)) {
		if (sign === "{") depth++;
		else if (sign === "}" && --depth < 0) return false;
	}
	return depth === 0;
}

/** `\frac{\pi}{2}` → `(π)/(2)`: signs as signs, and no commands. */
export function wordsOfTex(tex: string): string {
	return tex
		.replace(/\\(?:begin|end)\s*\{[^{}]*\}/g, " ")
		.replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "($1)/($2)")
		.replace(/\\([a-z]+) ?/gi, (_, command: string) => signOfCommand(command) ?? (isFunctionName(command) ? ` ${command} ` : " "))
		.replace(/\\(?=[{}$%#&_])/g, "")
		.replace(/\\./g, " ")
		.replace(/[{}&~\s]+/g, " ")
		.trim();
}
