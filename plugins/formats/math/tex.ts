/** Tidies LaTeX that authors typed, and turns it into plain text. */

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

/** On one line, without comments, dollar signs and size commands such as `\displaystyle`. */
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

/** False for `{\displaystyle a} + {b}`, which is not one group in braces. */
function isBalanced(tex: string): boolean {
	let depth = 0;
	for (const [sign] of tex.matchAll(/\\.|[{}]/g)) {
		if (sign === "{") depth++;
		else if (sign === "}" && --depth < 0) return false;
	}
	return depth === 0;
}

/** `\frac{\pi}{2}` → `(π)/(2)`: commands become symbols. */
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
