/** Numbers by the signs of a format: digits, groups, decimals, percent, powers of ten, and the words around them. */

export type NumberPart =
	| { readonly kind: "digit"; readonly isRequired: boolean }
	| { readonly kind: "comma" | "point" | "percent" }
	| { readonly kind: "power"; readonly digits: number }
	| { readonly kind: "words"; readonly text: string };

/** JavaScript writes no more decimals. */
const decimalsMax = 30;

/** The parts of one section; null for what is shown as a plain number: fractions, and formats without digits or words. */
export function numberParts(section: string): readonly NumberPart[] | null {
	const parts: NumberPart[] = [];
	const signs = /"([^"]*)"|\\(.)|_.|\*.|\[([^\]]*)\]|(E[+-]0*)|([0#?])|([,.%])|(.)/gisu;
	for (const [, quoted, escaped, bracketed, power, digit, sign, other] of section.matchAll(signs)) {
		const words = quoted ?? escaped ?? (bracketed === undefined ? other : currencyOf(bracketed));
		if (power !== undefined) parts.push({ kind: "power", digits: power.length - 2 });
		else if (digit !== undefined) parts.push({ kind: "digit", isRequired: digit !== "#" });
		else if (sign !== undefined) parts.push({ kind: sign === "%" ? "percent" : sign === "." ? "point" : "comma" });
		else if (words === "/" && other !== undefined) return null;
		else if (words !== undefined && words !== "") parts.push({ kind: "words", text: words === "@" ? "" : words });
	}
	return parts.some(({ kind }) => kind !== "comma" && kind !== "point") ? parts : null;
}

/** `[$€-407]` is a sign of money with a country; `[Red]` and conditions are for the eye. */
function currencyOf(bracketed: string): string {
	return /^\$([^-]*)/.exec(bracketed)?.[1] ?? "";
}

export function numberText(parts: readonly NumberPart[], value: number): string {
	const firstDigit = parts.findIndex(({ kind }) => kind === "digit");
	if (firstDigit < 0) return wordsIn(parts);
	const point = parts.findIndex(({ kind }) => kind === "point");
	const lastDigit = parts.findLastIndex(({ kind }) => kind === "digit");
	const whole = parts.slice(firstDigit, point < 0 ? lastDigit + 1 : point);
	const decimals = point < 0 ? [] : parts.slice(point).filter((part) => part.kind === "digit");
	const scaled = Math.abs(value) * 100 ** countOf(parts, "percent") * 1_000 ** -trailingCommas(parts, point < 0 ? lastDigit + 1 : point);

	const power = parts.find((part) => part.kind === "power");
	const digits = power === undefined ? fixed(scaled, decimals, whole) : scientific(scaled, decimals.length, power.digits);
	const before = parts.slice(0, firstDigit);
	const after = parts.slice(lastDigit + 1);
	const sign = value < 0 && /[1-9]/.test(digits) ? "-" : "";
	return `${sign}${wordsIn(before)}${digits}${wordsIn(after)}`.replace(/\s+/g, " ").trim();
}

function scientific(value: number, decimals: number, digits: number): string {
	return value
		.toExponential(Math.min(decimals, decimalsMax))
		.replace(/e([+-])(\d+)$/, (_, sign: string, power: string) => `E${sign}${power.padStart(digits, "0")}`);
}

function fixed(value: number, decimals: readonly NumberPart[], whole: readonly NumberPart[]): string {
	const places = Math.min(decimals.length, decimalsMax);
	const required = decimals.findLastIndex((part) => part.kind === "digit" && part.isRequired) + 1;
	const [before = "0", behind = ""] = rounded(value, places).split(".");
	const fraction = behind.slice(0, required) + behind.slice(required).replace(/0+$/, "");
	const leading = whole.filter((part) => part.kind === "digit" && part.isRequired).length;
	return `${placed(before.padStart(leading, "0"), whole)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** As people round: 1.005 to two places is 1.01, though its binary form is a little less. */
function rounded(value: number, places: number): string {
	const written = String(Number(value.toPrecision(15)));
	if (written.includes("e") || value >= 1e15) return value >= 1e21 ? BigInt(Math.round(value)).toString() : value.toFixed(places);
	return Number(`${Math.round(Number(`${written}e${places}`))}e-${places}`).toFixed(places);
}

/** Groups of thousands, or words among the digits: `000\-00`. */
function placed(digits: string, whole: readonly NumberPart[]): string {
	if (!whole.some(({ kind }) => kind === "words")) return countOf(whole, "comma") > 0 ? digits.replace(/\B(?=(?:\d{3})+$)/g, ",") : digits;
	let left = digits;
	let text = "";
	for (const part of whole.toReversed()) {
		if (part.kind === "words") text = part.text + text;
		if (part.kind !== "digit") continue;
		text = left.slice(-1) + text;
		left = left.slice(0, -1);
	}
	return left + text;
}

function trailingCommas(parts: readonly NumberPart[], end: number): number {
	let at = end;
	if (parts[at]?.kind === "comma") for (; parts[at]?.kind === "comma"; at++);
	let commas = at - end;
	for (let back = end - 1; parts[back]?.kind === "comma"; back--) commas++;
	return commas;
}

function countOf(parts: readonly NumberPart[], kind: NumberPart["kind"]): number {
	return parts.filter((part) => part.kind === kind).length;
}

function wordsIn(parts: readonly NumberPart[]): string {
	return parts.map((part) => (part.kind === "words" ? part.text : part.kind === "percent" ? "%" : "")).join("");
}
