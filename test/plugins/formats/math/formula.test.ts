/** Formulas: Office's equations and MathML as LaTeX and as one line, and which form a web page's formula is taken from. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import htmlPlugin from "../../../../plugins/extractors/html/index.ts";
import { readMathMl } from "../../../../plugins/formats/math/mathml.ts";
import { readOmml } from "../../../../plugins/formats/math/omml.ts";
import { readXml } from "../../../../plugins/formats/xml/read-xml.ts";
import type { XmlElement } from "../../../../plugins/formats/xml/xml-element.ts";
import { extractorNamed, read } from "../../extractors/samples.ts";

function element(xml: string): XmlElement {
	const root = readXml(new TextEncoder().encode(xml));
	if (root === null) throw new Error("no element");
	return root;
}

const omml = (xml: string) => readOmml(element(`<m:oMath>${xml}</m:oMath>`))[0];
const mathMl = (xml: string) => readMathMl(element(`<math>${xml}</math>`));
const r = (text: string, format = "") => `<m:r><m:rPr>${format}</m:rPr><m:t>${text}</m:t></m:r>`;
const e = (xml: string) => `<m:e>${xml}</m:e>`;
const val = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;

describe("Office's equations", () => {
	const matrix = `<m:m><m:mr>${e(r("a"))}${e(r("b"))}</m:mr><m:mr>${e(r("c"))}${e(r("d"))}</m:mr></m:m>`;
	const cases: readonly (readonly [what: string, xml: string, latex: string, text: string])[] = [
		["signs and letters", r("α≤2π∈ℝ, 𝑥≠∅"), "\\alpha\\leq2\\pi\\in\\mathbb{R}, x\\neq\\emptyset", "α≤2π∈R, x≠∅"],
		[
			"a binomial",
			`<m:d>${e(`<m:f><m:fPr>${val("type", "noBar")}</m:fPr><m:num>${r("n")}</m:num><m:den>${r("k")}</m:den></m:f>`)}</m:d>`,
			"\\binom{n}{k}",
			"(n/k)",
		],
		["a slash", `<m:f><m:fPr>${val("type", "lin")}</m:fPr><m:num>${r("a")}</m:num><m:den>${r("b")}</m:den></m:f>`, "a/b", "a/b"],
		["both scripts", `<m:sSubSup>${e(r("x"))}<m:sub>${r("i")}</m:sub><m:sup>${r("2")}</m:sup></m:sSubSup>`, "x_{i}^{2}", "x_i^2"],
		["scripts before", `<m:sPre><m:sub>${r("6")}</m:sub><m:sup>${r("14")}</m:sup>${e(r("C"))}</m:sPre>`, "{}_{6}^{14}C", "_6^14C"],
		["scripts on scripts", `<m:sSup>${e(`<m:sSup>${e(r("x"))}<m:sup>${r("2")}</m:sup></m:sSup>`)}<m:sup>${r("3")}</m:sup></m:sSup>`, "{x^{2}}^{3}", "x^2^3"],
		["a cube root", `<m:rad><m:deg>${r("3")}</m:deg>${e(r("x"))}</m:rad>`, "\\sqrt[3]{x}", "root(3, x)"],
		["a root without its degree", `<m:rad><m:radPr>${val("degHide", "1")}</m:radPr><m:deg>${r("3")}</m:deg>${e(r("x"))}</m:rad>`, "\\sqrt{x}", "√x"],
		["an integral", `<m:nary><m:sub>${r("0")}</m:sub><m:sup>${r("∞")}</m:sup>${e(r("xdx"))}</m:nary>`, "\\int_{0}^{\\infty}xdx", "∫_0^∞ xdx"],
		[
			"a hidden limit",
			`<m:nary><m:naryPr>${val("chr", "∮")}${val("supHide", "1")}</m:naryPr><m:sub>${r("C")}</m:sub><m:sup/>${e(r("z"))}</m:nary>`,
			"\\oint_{C}z",
			"∮_C z",
		],
		[
			"a matrix",
			`<m:d><m:dPr>${val("begChr", "[")}${val("endChr", "]")}</m:dPr>${e(matrix)}</m:d>`,
			"\\begin{bmatrix}a & b \\\\ c & d\\end{bmatrix}",
			"[[a, b; c, d]]",
		],
		[
			"cases",
			`<m:d><m:dPr>${val("begChr", "{")}${val("endChr", "")}</m:dPr>${e(`<m:eqArr>${e(r("1,&amp;x&gt;0"))}${e(r("0,&amp;x=0"))}</m:eqArr>`)}</m:d>`,
			"\\begin{cases}1,&x>0 \\\\ 0,&x=0\\end{cases}",
			"{1,x>0; 0,x=0",
		],
		["a system", `<m:eqArr>${e(r("a&amp;=b"))}${e(r("c&amp;=d"))}</m:eqArr>`, "\\begin{aligned}a&=b \\\\ c&=d\\end{aligned}", "a=b; c=d"],
		["one part given another", `<m:d>${e(r("A"))}${e(r("B"))}</m:d>`, "\\left(A\\middle| B\\right)", "(A|B)"],
		["a function", `<m:func><m:fName>${r("sin", val("sty", "p"))}</m:fName>${e(r("x"))}</m:func>`, "\\sin x", "sin x"],
		["a function of one's own", `<m:func><m:fName>${r("argmax")}</m:fName>${e(r("f"))}</m:func>`, "\\operatorname{argmax}f", "argmax f"],
		[
			"a limit",
			`<m:func><m:fName><m:limLow>${e(r("lim"))}<m:lim>${r("n→∞")}</m:lim></m:limLow></m:fName>${e(r("a"))}</m:func>`,
			"\\lim_{n\\rightarrow\\infty}a",
			"lim_(n→∞) a",
		],
		["something above", `<m:limUpp>${e(r("="))}<m:lim>${r("def", "<m:nor/>")}</m:lim></m:limUpp>`, "\\overset{\\text{def}}{=}", "=^def"],
		["a hat", `<m:acc>${e(r("x"))}</m:acc>`, "\\hat{x}", "x̂"],
		["an arrow over more", `<m:acc><m:accPr>${val("chr", "\u20d7")}</m:accPr>${e(r("AB"))}</m:acc>`, "\\overrightarrow{AB}", "AB"],
		["a bar below", `<m:bar>${e(r("x"))}</m:bar>`, "\\underline{x}", "x"],
		["a bar above", `<m:bar><m:barPr>${val("pos", "top")}</m:barPr>${e(r("x"))}</m:bar>`, "\\bar{x}", "x"],
		[
			"a brace and what it says",
			`<m:limLow>${e(`<m:groupChr>${e(r("a+b"))}</m:groupChr>`)}<m:lim>${r("two letters")}</m:lim></m:limLow>`,
			"\\underbrace{a+b}_{two\\ letters}",
			"a+b_(two letters)",
		],
		["a box", `<m:borderBox>${e(r("x"))}</m:borderBox>`, "\\boxed{x}", "x"],
		["prose", r("50% of A&amp;B_1", "<m:nor/>"), "\\text{50\\% of A\\&B\\_1}", "50% of A&B_1"],
		["letters of other scripts", r("скорость"), "\\text{скорость}", "скорость"],
		["bold and double-struck", r("v", val("sty", "b")) + r("R", val("scr", "double-struck")), "\\mathbf{v}\\mathbb{R}", "vR"],
		[
			"what was deleted and what takes room",
			`<w:del>${r("old")}</w:del><m:phant><m:phantPr>${val("show", "0")}</m:phantPr>${e(r("mm"))}</m:phant>${r("x")}`,
			"x",
			"x",
		],
		["a sum in a run of pieces", r("a") + r(" ") + r("b"), "a\\ b", "a b"],
	];
	test.each(cases)("%s", (_, xml, latex, text) => {
		expect(omml(xml)).toEqual({ latex, text, isDisplay: false });
	});

	test("nothing is written for an empty one, and a paragraph of them stands on lines", () => {
		expect(omml(`<m:sSup>${e("")}<m:sup/></m:sSup>`)?.latex ?? "").toBe("{}");
		expect(readOmml(element("<m:oMath/>"))).toEqual([]);
		const para = readOmml(element(`<m:oMathPara><m:oMath>${r("a")}</m:oMath><m:oMath>${r("b")}</m:oMath></m:oMathPara>`));
		expect(para.map(({ latex, isDisplay }) => [latex, isDisplay])).toEqual([
			["a", true],
			["b", true],
		]);
	});
});

describe("MathML", () => {
	const cases: readonly (readonly [what: string, xml: string, latex: string, text: string])[] = [
		["a fraction", "<mfrac><mi>a</mi><mn>2</mn></mfrac>", "\\frac{a}{2}", "a/2"],
		["one without a line", '<mfrac linethickness="0"><mi>a</mi><mn>2</mn></mfrac>', "\\genfrac{}{}{0pt}{}{a}{2}", "a/2"],
		["scripts", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><msup><mi>f</mi><mo>′</mo></msup>", "x_{i}^{2}f'", "x_i^2f^′"],
		["a sum", "<munderover><mo>∑</mo><mi>k</mi><mi>n</mi></munderover><mi>k</mi>", "\\sum_{k}^{n}k", "∑_k^n k"],
		["a function", "<mi>sin</mi><mo>\u2061</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "\\sin(x)", "sin (x)"],
		["roots", "<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mroot><mi>c</mi><mn>3</mn></mroot>", "\\sqrt{a+b}\\sqrt[3]{c}", "√(a+b)root(3, c)"],
		["fences that grow", "<mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo>", "\\left(\\frac{1}{2}\\right)", "(1/2)"],
		["isotopes", "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "{}_{6}^{14}C", "_6^14C"],
		["letters with marks", "<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", "\\bar{x}\\vec{v}", "xv"],
		[
			"a matrix",
			"<mo>|</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mo>|</mo>",
			"\\begin{vmatrix}a & b\\end{vmatrix}",
			"|[a, b]|",
		],
		[
			"cases",
			"<mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd><mtd><mtext>if big</mtext></mtd></mtr></mtable>",
			"\\begin{cases}x & \\text{if big}\\end{cases}",
			"{[x, if big]",
		],
		["words and names", '<mi>rate</mi><mi mathvariant="bold">v</mi><mtext>of 5%</mtext>', "\\mathrm{rate}\\mathbf{v}\\text{of 5\\%}", "ratevof 5%"],
		["an old fence", '<mfenced open="[" close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced>', "\\left[a;b\\right]", "[a;b]"],
	];
	test.each(cases)("%s", (_, xml, latex, text) => {
		expect(mathMl(xml)).toEqual({ latex, text, isDisplay: false });
	});

	test("LaTeX that was written beside it wins; a line in another language only where there is nothing else", () => {
		const noted = (encoding: string, line: string) => `<semantics><mrow><mi>E</mi></mrow><annotation encoding="${encoding}">${line}</annotation></semantics>`;
		expect(mathMl(noted("application/x-tex", "{\\displaystyle E=mc^{2}}"))).toEqual({ latex: "E=mc^{2}", text: "E", isDisplay: false });
		expect(mathMl(noted("StarMath 5.0", "E sup 2"))?.latex).toBe("E");
		expect(mathMl('<annotation encoding="StarMath 5.0">a over b</annotation>')).toEqual({ latex: "", text: "a over b", isDisplay: false });
		expect(mathMl('<annotation encoding="application/x-tex">\\frac{\\pi}{2} \\le \\sin x</annotation>')?.text).toBe("(π)/(2) sin x");
		expect(mathMl("")).toBeNull();
	});
});

describe("formulas of web pages", () => {
	const markdownOf = async (html: string) =>
		(await read(await extractorNamed(htmlPlugin(), "html"), `<body><p>Now ${html} holds.</p></body>`, "text/html", {})).extraction.text;
	const math = "<math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>";

	const pages: readonly (readonly [what: string, html: string])[] = [
		[
			"KaTeX",
			`<span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span>`,
		],
		["a wiki", `<span class="mwe-math-element"><span style="display: none;">${math}</span><img alt="x^2" aria-hidden="true" src="x.svg"></span>`],
		["MathJax 3", `<mjx-container class="MathJax"><mjx-math aria-hidden="true">x2</mjx-math><mjx-assistive-mml>${math}</mjx-assistive-mml></mjx-container>`],
		["MathJax 2", '<span class="MathJax_Preview">x?</span><span class="MathJax"><nobr>x2</nobr></span><script type="math/tex">x^2</script>'],
	];
	test.each(pages)("%s: said once", async (_, html) => {
		expect(await markdownOf(html)).toBe("Now $x^2$ holds.");
	});

	test("what stands on a line of its own is a paragraph of its own", async () => {
		const katex = `<span class="katex-display"><span class="katex"><span class="katex-mathml">${math}</span></span></span>`;
		expect(await markdownOf(katex)).toBe("Now\n\n$$x^2$$\n\nholds.");
		expect(await markdownOf('<script type="math/tex; mode=display">x^2</script>')).toBe("Now\n\n$$x^2$$\n\nholds.");
		expect(await markdownOf('<math display="block"><mi>y</mi></math>')).toBe("Now\n\n$$y$$\n\nholds.");
	});

	test("one that was drawn without its source keeps its words", async () => {
		expect(await markdownOf('<span class="katex"><span class="katex-html" aria-hidden="true"><span>E</span>=<span>mc</span></span></span>')).toBe(
			"Now E=mc holds.",
		);
	});
});

test("any tree of elements is read, and braces are balanced", () => {
	const names = [
		"mrow",
		"mi",
		"mo",
		"mn",
		"mfrac",
		"msup",
		"msubsup",
		"munderover",
		"mover",
		"mtable",
		"mtr",
		"mtd",
		"msqrt",
		"mmultiscripts",
		"mfenced",
		"semantics",
	];
	const { tree } = fc.letrec<{ tree: XmlElement; leaf: XmlElement }>((tie) => ({
		leaf: fc.record({
			name: fc.constantFrom("mi", "mo", "mn", "mtext"),
			attributes: fc.constant({}),
			children: fc.array(fc.constantFrom("x", "(", ")", "{", "|", "∑", "^", "\\", "лет"), { maxLength: 2 }),
		}),
		tree: fc.oneof(
			{ maxDepth: 5 },
			tie("leaf"),
			fc.record({ name: fc.constantFrom(...names), attributes: fc.constant({}), children: fc.array(tie("tree"), { maxLength: 4 }) }),
		),
	}));
	fc.assert(
		fc.property(fc.array(tree, { maxLength: 4 }), (children) => {
			const latex = readMathMl({ name: "math", attributes: {}, children })?.latex ?? "";
			const bare = latex.replaceAll(/\\[\\{}]/g, "");
			expect(bare.split("{").length).toBe(bare.split("}").length);
			expect(latex).not.toMatch(/\\left(?!.*\\right)/);
		}),
		{ seed: 7, numRuns: 300 },
	);
});
