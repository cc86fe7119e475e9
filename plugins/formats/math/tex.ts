/** Cleans LaTeX that authors typed, and converts it to plain text. */

import { isFunctionName, symbolOfCommand } from "./latex-symbols.ts";

const wrappers: readonly RegExp[] = [
	/^\$\$([\s\S]*)\$\$$/,
	/^\$([^$]*)\$$/,
	/^\\\(([\s\S]*)\\\)$/,
	/^\\\[([\s\S]*)\\\]$/,
	/^\{\s*\\(?:displaystyle|textstyle)\b([\s\S]*)\}$/,
	/^\\(?:displaystyle|textstyle)\b([\s\S]*)$/,
];

/** How many wrappers inside each other are removed. */
const layersMax = 4;

/** Puts it on one line, without comments, dollar signs and size commands such as `\displaystyle`. */
export function cleanTex(raw: string): string {
	let tex = raw
		.replace(/(?<!\\)%.*$/gm, "")
		.replace(/\s+/g, " ")
		.trim();
	for (let layer = 0; layer < layersMax; layer++) tex = unwrap(tex) ?? tex;
	return tex;
}

function unwrap(tex: string): string | null {
	for (const wrapper of wrappers) {
		const content = wrapper.exec(tex)?.[1];
		if (content !== undefined && isBalanced(content)) return content.trim();
	}
	return null;
}

/** False for `{\displaystyle a} + {b}`, which is not one group in braces. */
function isBalanced(tex: string): boolean {
	let depth = 0;
	for (const [token] of tex.matchAll(/\\.|[{}]/g)) {
		if (token === "{") depth++;
		else if (token === "}" && --depth < 0) return false;
	}
	return depth === 0;
}

/** Converts commands to symbols: `\frac{\pi}{2}` becomes `(π)/(2)`. */
export function texToText(tex: string): string {
	return tex
		.replace(/\\(?:begin|end)\s*\{[^{}]*\}/g, " ")
		.replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "($1)/($2)")
		.replace(/\\([a-z]+) ?/gi, (_, command: string) => symbolOfCommand(command) ?? (isFunctionName(command) ? ` ${command} ` : " "))
		.replace(/\\(?=[{}$%#&_])/g, "")
		.replace(/\\./g, " ")
		.replace(/[{}&~\s]+/g, " ")
		.trim();
}
