/** Writes superscripts and subscripts as Unicode characters: `10⁶` differs from `106`, and `H₂O` is found by searching for `H2O`. */

export type Script = "above" | "below";

const above = new Map(pairs("0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻–⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ"));
const below = new Map(pairs("0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋–₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ"));

/** Text of letters only, such as the `th` of `4th`, is returned unchanged, and so is text with a character that has no such form. */
export function scriptedText(text: string, script: Script): string {
	const table = script === "above" ? above : below;
	const words = text.trim();
	if ([...words].length > 1 && /^\p{L}+$/u.test(words)) return text;
	const characters = [...text].map((character) => (character.trim() === "" ? character : table.get(character)));
	return characters.includes(undefined) ? text : characters.join("");
}

function pairs(table: string): readonly (readonly [string, string])[] {
	const characters = [...table];
	return Array.from({ length: characters.length / 2 }, (_, index) => [characters[2 * index] ?? "", characters[2 * index + 1] ?? ""]);
}
