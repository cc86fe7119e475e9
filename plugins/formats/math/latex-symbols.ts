/** LaTeX commands for the symbols and letters of formulas. */

/** Symbols, each with its command without the backslash. The first symbol of a command is the one it is converted back to. */
const commandTable = `
α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa λ lambda μ mu ν nu ξ xi π pi ϖ varpi
ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon
Φ Phi Ψ Psi Ω Omega µ mu
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ⋃ bigcup ⋂ bigcap ⋀ bigwedge ⋁ bigvee ⨁ bigoplus ⨂ bigotimes ⨀ bigodot
⨄ biguplus ⨆ bigsqcup
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∙ bullet • bullet ∗ ast ⋆ star ∘ circ ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ∧ wedge ∨ vee ∩ cap ∪ cup
⊓ sqcap ⊔ sqcup ⊎ uplus ∖ setminus † dagger ‡ ddagger ≀ wr ⋈ bowtie
≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≪ ll ≫ gg ≠ neq ≡ equiv ≢ not\\equiv ≈ approx ≉ not\\approx ≅ cong ≃ simeq ∼ sim ∝ propto ≺ prec ≻ succ ⪯ preceq
⪰ succeq ≼ preccurlyeq ≽ succcurlyeq ≐ doteq ≜ triangleq ≔ coloneqq ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq
⊊ subsetneq ⊋ supsetneq ⊄ not\\subset ⊈ nsubseteq ⊑ sqsubseteq ⊒ sqsupseteq ∣ mid ∤ nmid ∥ parallel ∦ nparallel ⊥ perp ⟂ perp ⊢ vdash ⊣ dashv ⊨ models
≲ lesssim ≳ gtrsim ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ≍ asymp
← leftarrow → rightarrow ↔ leftrightarrow ↑ uparrow ↓ downarrow ↕ updownarrow ⇐ Leftarrow ⇒ Rightarrow ⇔ Leftrightarrow ⇑ Uparrow ⇓ Downarrow
⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow ⟺ iff ↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow
↗ nearrow ↘ searrow ↖ nwarrow ↙ swarrow ⇀ rightharpoonup ⇁ rightharpoondown ⇌ rightleftharpoons ⇄ rightleftarrows ↠ twoheadrightarrow ⇝ leadsto
∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ∆ Delta ¬ neg ℓ ell ℏ hbar ħ hbar ℘ wp ℵ aleph ℶ beth ∠ angle ∡ measuredangle △ triangle
□ square ◻ square ◇ diamond ∴ therefore ∵ because ⊤ top √ surd ∎ blacksquare ■ blacksquare ♯ sharp ♭ flat ♮ natural ı imath ȷ jmath ð eth
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ⟨ langle ⟩ rangle 〈 langle 〉 rangle ‖ | ƛ lambda ∶ colon
\\ backslash { { } } $ $ % % # # & & _ _ ~ sim
`;

/** Symbols written with ordinary LaTeX: variants of ASCII characters, and superscript and subscript digits. */
const plainLatex: Readonly<Record<string, string>> = {
	"−": "-",
	"‐": "-",
	"‑": "-",
	"–": "-",
	"∕": "/",
	"⁄": "/",
	"′": "'",
	"″": "''",
	"‴": "'''",
	"^": "{}^{\\wedge}",
	"°": "^{\\circ}",
	"≝": "\\overset{\\text{def}}{=}",
	"℃": "^{\\circ}\\mathrm{C}",
	"⁰": "^{0}",
	"¹": "^{1}",
	"²": "^{2}",
	"³": "^{3}",
	"⁴": "^{4}",
	"⁵": "^{5}",
	"⁶": "^{6}",
	"⁷": "^{7}",
	"⁸": "^{8}",
	"⁹": "^{9}",
	"₀": "_{0}",
	"₁": "_{1}",
	"₂": "_{2}",
	"₃": "_{3}",
	"₄": "_{4}",
	"₅": "_{5}",
	"₆": "_{6}",
	"₇": "_{7}",
	"₈": "_{8}",
	"₉": "_{9}",
};

const latexBySymbol: ReadonlyMap<string, string> = new Map([
	...parsePairs(commandTable).map(([symbol, command]) => [symbol, `\\${command}`] as const),
	...Object.entries(plainLatex),
]);

/** @returns the LaTeX of one character, which is often the character itself. */
export function latexSymbol(symbol: string): string {
	return latexBySymbol.get(symbol) ?? symbol;
}

/** @param command without the backslash: `pi` for `π`. @returns null for a command that is not a symbol. */
export function symbolOfCommand(command: string): string | null {
	return symbolByCommand.get(command) ?? null;
}

const symbolByCommand: ReadonlyMap<string, string> = new Map(
	parsePairs(commandTable)
		.toReversed()
		.map(([symbol, command]) => [command, symbol]),
);

/** Functions that have a LaTeX command. */
const functionNames: ReadonlySet<string> = new Set(
	"arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(" "),
);

export function isFunctionName(name: string): boolean {
	return functionNames.has(name);
}

function parsePairs(table: string): readonly (readonly [string, string])[] {
	const words = table.trim().split(/\s+/);
	return Array.from({ length: words.length / 2 }, (_, index) => [words[2 * index] ?? "", words[2 * index + 1] ?? ""]);
}
