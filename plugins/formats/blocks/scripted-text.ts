/** Superscripts and subscripts as Unicode characters: `10⁶` is another number than `106`, and `H₂O` is found as `H2O`. */

export type Script = "above" | "below";

const above = new Map(pairs("0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻–⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ"));
const below = new Map(pairs("0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋–₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ"));

/** Words such as `4th` stay as they are, and so does text with a character that has no raised form. */
export function scriptedText(text: string, script: Script): string {
	const table = script === "above" ? above : below;
	const words = text.trim();
	if ([...words].length > 1 && /^\p{L}+$/u.test(words)) return text;
	const signs = [...text].map((sign) => (sign.trim() === "" ? sign : table.get(sign)));
	return signs.includes(undefined) ? text : signs.join("");
}

function pairs(table: string): readonly (readonly [string, string])[] {
	const signs = [...table];
	return Array.from({ length: signs.length / 2 }, (_, index) => [signs[2 * index] ?? "", signs[2 * index + 1] ?? ""]);
}
