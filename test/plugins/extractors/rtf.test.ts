/** The RTF extractor: code pages, Unicode, what is skipped, lists, tables, fields, notes, the contract tests. */

import { describe, expect, test } from "bun:test";
import rtfPlugin from "../../../plugins/extractors/rtf/index.ts";
import { baker, codeOf, extractorNamed, keeper, read, testContract } from "./samples.ts";

const mediaType = "application/rtf";
const start = () => extractorNamed(rtfPlugin(), "rtf");
const bytesOf = (body: string) => new Uint8Array(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0 ${body}}`, "latin1"));
const readRtf = async (body: string) => read(await start(), bytesOf(body), mediaType);
const textOf = async (body: string) => (await readRtf(body)).extraction.text;

const styles = "{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 heading 1;}{\\s2 Title;}{\\*\\cs3 Link;}}";

describe("laws", () => {
	const body = `${styles}\\pard\\s1 The keeper\\par\\pard ${keeper.join("\\par ")}\\par\\pard\\outlinelevel1 The baker\\par\\pard ${baker.join("\\par\r\n")}`;
	const words = ["The keeper", ...keeper, "The baker", ...baker].flatMap((text) => text.split(/\s+/));
	testContract(start, [{ bytes: bytesOf(body), mediaType, fileName: "story.rtf", words, headings: ["The keeper", "The baker"] }]);
});

test.each([
	["bytes of the file's page", "caf\\'e9 na\\'efve", "café naïve"],
	["a page that the file names", "\\ansicpg1251 \\'ef\\'f0\\'e8\\'e2\\'e5\\'f2", "привет"],
	["a page of a font", "{\\fonttbl{\\f1\\fcharset238 Arial CE;}{\\f2\\fcharset128 Mincho;}}{\\f1 \\'9ee}{\\f2 \\'83\\'65\\'83\\'58}", "žeテス"],
	["a font of symbols", "{\\fonttbl{\\f1\\fcharset2 Symbol;}}{\\f1 a\\'62}", "αβ"],
	["Unicode with its substitutes", "\\u1055?\\uc2\\u1088\\'3f?\\uc0\\u1080!", "При!"],
	["Unicode above 65535", "\\u-10187?\\u-8955?", "𝔅".replace("𝔅", String.fromCharCode(0xd835, 0xdd05))],
	["Unicode outside of its range", "\\u55357?x", "�x"],
	["signs", "\\lquote a\\rquote\\emdash\\~b\\_c\\-d\\{\\}\\\\", "‘a’— b-cd{}\\"],
	["emphasis", "plain {\\b bold {\\i both}} \\b on\\b0  off {\\v hidden}{\\deleted gone}", "plain **bold *both*** **on** off"],
	["small digits", "10{\\super 6} H{\\sub 2}O 4{\\super th} x\\super 2\\nosupersub y", "10⁶ H₂O 4th x²y"],
])("%s", async (_, body, said) => expect(await textOf(body)).toBe(said));

test("pictures, objects, unknown groups and facts are skipped, the result of an object is not", async () => {
	const body =
		"{\\fonttbl{\\f0 Times;}}{\\colortbl;\\red0;}{\\*\\unheard of {this}}{\\info{\\title Tea}{\\author Ada}{\\subject On tea}}{\\pict\\pngblip 89504e47}{\\*\\shppict{\\pict ff}}{\\bin4 }}}}{\\object{\\*\\objdata 00}{\\result shown}}{\\*\\cs7 styled} in {\\f0\\*\\cs7 text}";
	const { extraction } = await readRtf(body.replace("{\\bin4 }}}}", "{\\pict\\bin4 }}}}}"));
	expect(extraction.text).toBe("shown in text");
	expect(extraction).toMatchObject({ title: "Tea", description: "On tea", type: "text" });
});

test("headings are known by style and level, lists by what stands before them", async () => {
	const item = (mark: string, text: string, depth = 0) => `{\\listtext\\pard\\plain ${mark}\\tab}\\ilvl${depth} ${text}\\par `;
	const body = `${styles}\\s2 Report\\par\\pard\\s1 One\\par\\pard ${item("1.", "first")}${item("\\'b7", "dot", 1)}\\pard after`;
	const { extraction } = await readRtf(body);
	expect(extraction.text).toBe("# Report\n\n# One\n\n1. first\n  - dot\n\nafter");
	expect(extraction.title).toBe("Report");
});

test("tables know their header, merged and inner cells", async () => {
	const row = (definition: string, ...cells: string[]) => `\\trowd${definition}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join("")}\\row `;
	const body = `${row("\\trhdr\\cellx1\\cellx2", "Town", "Sum")}${row("\\clvmgf\\cellx1\\cellx2", "Oslo", "1\\par more")}${row("\\clvmrg\\cellx1\\cellx2", "", "in \\nestcell ner\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}")}${row("\\clmgf\\cellx1\\clmrg\\cellx2", "all", "")}\\pard after\\par`;
	const { extraction } = await readRtf(body);
	expect(extraction.blocks.map(({ text }) => text)).toEqual(["Town: Oslo; Sum: 1\nmore", "Town: Oslo; Sum: in; ner", "Town: all; Sum: all", "after"]);
});

test("fields show their result; notes, comments, boxes and running heads are read once", async () => {
	const field = '{\\field{\\*\\fldinst HYPERLINK "https://example.org/"}{\\fldrslt site}}';
	const box = "{\\shp{\\*\\shpinst{\\sp{\\sn wzName}{\\sv x}}{\\shptxt Boxed\\par}}{\\shprslt Boxed}}";
	const body = `{\\header Secret\\par}{\\headerf Secret\\par}{\\footer 7}${box}See ${field}{\\footnote Proof}{\\*\\atnauthor Ada}{\\*\\annotation Sure?}.\\par`;
	expect(await textOf(body)).toBe("Boxed\n\nSee [site](https://example.org/)[^1].\n\n[^1]: Proof\n\nComment by Ada: Sure?\n\nSecret");
});

test("what is no rich text, or holds none, is an error; groups may be left open", async () => {
	expect(await codeOf(read(await start(), "plain text", mediaType).then())).toBe("FILE_BROKEN");
	expect(await codeOf(readRtf("{\\pict ff}"))).toBe("CONTENT_EMPTY");
	expect(await textOf(`${"{".repeat(5_000)}deep`)).toBe("deep");
	expect(await textOf("kept}} and kept too")).toBe("kept and kept too");
	expect(await textOf("kept \\bin99999999 lost")).toBe("kept");
});

test("equations are read, not their pictures, however deep they are", async () => {
	const fraction = "{\\mf{\\mfPr{\\mtype bar}{\\*\\mctrlPr\\i\\f1}}{\\mnum{\\mr\\mscr0\\msty2{\\i\\f1 \\u960 ?r}}}{\\mden{\\mr 2}}}";
	const inline = `{\\mmath{\\*\\moMath{\\mr A=}${fraction}{\\mr\\mscr3 R}}}{\\mmathPict{\\*\\shppict{\\pict ff}}}`;
	const sum = "{\\mnary{\\mnaryPr{\\mchr \\u8721 ?}}{\\msub{\\mr n}}{\\msup{\\mr 9}}{\\me{\\mr n}}}";
	const display = `{\\mmath{\\*\\moMathPara{\\*\\moMathParaPr{\\mjc1}}{\\*\\moMath${sum}}}}`;
	const { extraction } = await readRtf(`So ${inline} holds.\\par ${display}\\par`);
	expect(extraction.text).toBe("So $A=\\frac{\\pi r}{2}\\mathbb{R}$ holds.\n\n$$\\sum_{n}^{9}n$$");
	expect(extraction.blocks[0]?.text).toBe("So A=πr/2R holds.");
	const deep = `{\\mmath{\\*\\moMath${"{\\me".repeat(20_000)}{\\mr x}${"}".repeat(20_000)}}}`;
	expect(await textOf(`a ${deep}`)).toBe("a $x$");
});
