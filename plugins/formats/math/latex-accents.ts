/** LaTeX commands for accents above and below a formula. */

/** Accents above: the command for a single letter, and the wide command (the same if LaTeX has none). */
const accentsAbove: ReadonlyMap<string, readonly [narrow: string, wide: string]> = new Map([
	["^", ["hat", "widehat"]],
	["~", ["tilde", "widetilde"]],
	["¯", ["bar", "overline"]],
	["→", ["vec", "overrightarrow"]],
	["←", ["overleftarrow", "overleftarrow"]],
	["↔", ["overleftrightarrow", "overleftrightarrow"]],
	["˙", ["dot", "dot"]],
	["¨", ["ddot", "ddot"]],
	["⃛", ["dddot", "dddot"]],
	["ˇ", ["check", "widecheck"]],
	["˘", ["breve", "breve"]],
	["´", ["acute", "acute"]],
	["`", ["grave", "grave"]],
	["˚", ["mathring", "mathring"]],
	["⏞", ["overbrace", "overbrace"]],
	["⏜", ["overparen", "overparen"]],
	["⎴", ["overbracket", "overbracket"]],
]);

const accentsBelow: ReadonlyMap<string, string> = new Map([
	["¯", "underline"],
	["⏟", "underbrace"],
	["⏝", "underparen"],
	["⎵", "underbracket"],
	["→", "underrightarrow"],
	["←", "underleftarrow"],
	["↔", "underleftrightarrow"],
	["~", "utilde"],
]);

/** Combining marks and similar characters, with the accent that the tables have for them. */
const equivalents: Readonly<Record<string, string>> = {
	"\u0302": "^",
	ˆ: "^",
	"\u0303": "~",
	"˜": "~",
	"\u0304": "¯",
	"\u0305": "¯",
	"\u0332": "¯",
	"\u0331": "¯",
	"‾": "¯",
	ˉ: "¯",
	_: "¯",
	"-": "¯",
	"−": "¯",
	"―": "¯",
	"\u20d7": "→",
	"⟶": "→",
	"⇀": "→",
	"\u20d1": "→",
	"\u20d6": "←",
	"\u20d0": "←",
	"\u20e1": "↔",
	"\u0307": "˙",
	".": "˙",
	"\u0308": "¨",
	"\u20db": "⃛",
	"\u030c": "ˇ",
	"\u0306": "˘",
	"\u0301": "´",
	"\u0300": "`",
	"\u030a": "˚",
	"︷": "⏞",
	"︸": "⏟",
};

/** @returns the command that draws this mark over or under something; null when LaTeX has none. */
export function accentCommand(mark: string, isBelow: boolean, isWide: boolean): string | null {
	const accent = equivalents[mark] ?? mark;
	if (isBelow) return accentsBelow.get(accent) ?? null;
	return accentsAbove.get(accent)?.[isWide ? 1 : 0] ?? null;
}
