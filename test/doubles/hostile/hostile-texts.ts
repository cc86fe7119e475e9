/** Texts that are long in one direction, nested without end, or written to make a parser look back again and again. */

const million = 1_000_000;
const sentence = "the quick brown fox jumps over the lazy dog ";

export const hostileTexts = {
	"line.txt": () => filled(sentence, 20 * million),
	"invalid-utf-8.txt": () =>
		Buffer.concat([Buffer.from("words "), Buffer.from(Array.from({ length: 3_000 }, () => [0xc3, 0x28, 0xf0, 0x9f, 0xc0, 0xaf]).flat())]),
	"no-mark.txt": () => Buffer.from(sentence.repeat(2_000), "utf16le"),
	"lone-surrogates.txt": () => utf16WithMark(`${sentence}\ud800 ${sentence}\udc00 `.repeat(2_000)),
	"nothing-but-surrogates.txt": () => utf16WithMark("\ud800 \udc00 ".repeat(20_000)),
	"nulls.txt": () => filled("\0", million),
	"words-and-nulls.txt": () => filled(`${sentence}\0`, million),
	"right-to-left.txt": () => filled("\u202e\u200b\u200d\u2066\ufeffa", million),
	"combining.txt": () => filled("\u0301", million, "a"),
	"one-line.csv": () => filled(sentence, 20 * million),
	"columns.csv": () => Buffer.from(`${many(million, (at) => `c${at}`, ",")}\n${many(million, (at) => at, ",")}\n${many(million, (at) => at, ",")}\n`),
	"quote.csv": () => filled('"', million, 'a,b\n"'),
	"formulas.csv": () => Buffer.from("name,value\n=cmd|' /C calc'!A0,1\n@SUM(1+1)*cmd|' /C calc'!A0,2\n+HYPERLINK(1),3\n"),
	"zero-width.txt": () => filled("\u200b\u200c\u2060\ufeff", million, sentence),
	"nested.html": () => filled("<div>", 5 * million, "<!doctype html><p>words</p>"),
	"nested-bold.html": () => filled("<b><p>", million, "<!doctype html><p>words</p>"),
	"bold-around-much.html": () => Buffer.from(`<!doctype html><p>${"<b>".repeat(400)}${sentence.repeat(20_000)}${"</b>".repeat(400)}</p>`),
	"attributes.html": () =>
		Buffer.from(`<!doctype html><p style="${";".repeat(million)}" class="${" ".repeat(million)}" ${many(100_000, (at) => `a${at}="b"`, " ")}>words</p>`),
	"unclosed.html": () => filled('<a href="x', million, "<!doctype html><p>words</p>"),
	"comments.html": () => filled("<!--", million, "<!doctype html><p>words</p>"),
	"table.html": () => filled("<table><tr><td>", million, "<!doctype html>"),
	"brackets.md": () => filled("[", million),
	"links.md": () => filled("[a](", million),
	"pictures.md": () => filled("![[]()", million),
	"quotes.md": () => filled("> ", million),
	"stars.md": () => filled("*a **a ", million),
	"underscores.md": () => filled("a_", million),
	"backticks.md": () => Buffer.from(many(1_400, (at) => "`".repeat(at), " ")),
	"lists.md": () => Buffer.from(many(1_400, (at) => `${"  ".repeat(at % 700)}- a`, "\n")),
	"table.md": () => Buffer.from(`${"|a".repeat(2_000)}\n${"|-".repeat(2_000)}\n${"|\n".repeat(20_000)}`),
	"references.md": () => Buffer.from(`${many(20_000, (at) => `[a${at}]: /b`, "\n")}\n\n${many(50_000, (at) => `[a${at}]`, " ")}`),
	"html.md": () => filled("<!--\n<a ", million),
	"nested.chat.json": () => Buffer.from(`[{"role":"user","content":${"[".repeat(million)}${"]".repeat(million)}}]`),
	"nested.json": () => Buffer.from(`${'{"a":'.repeat(million)}1${"}".repeat(million)}`),
	"turns.chat.txt": () => filled("User: ", million, "User: a\nAssistant: b\n"),
	"outside.svg": () =>
		Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.0.1:9/">]>
<svg xmlns="http://www.w3.org/2000/svg"><text>seen &file;&net;</text></svg>`),
	"outside.rss": () =>
		Buffer.from(`<?xml version="1.0"?><!DOCTYPE rss SYSTEM "http://127.0.0.1:9/a.dtd" [<!ENTITY % all SYSTEM "file:///etc/passwd">%all;]>
<rss version="2.0"><channel><title>news</title><item><title>seen</title><description>words</description></item></channel></rss>`),
	"quadratic.xml": () => Buffer.from(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "${"x".repeat(50_000)}">]><a>${"&e;".repeat(50_000)}words</a>`),
	"entities.xml": () =>
		Buffer.from(`<?xml version="1.0"?><!DOCTYPE a [${many(30, (at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`, "")}<!ENTITY e0 "ha">]><a>&e30;</a>`),
} as const satisfies Record<string, () => Uint8Array>;

/** The text again and again until there are so many bytes. */
function filled(text: string, bytes: number, before = ""): Uint8Array {
	return Buffer.concat([Buffer.from(before), Buffer.alloc(bytes, text)]);
}

function many(count: number, part: (at: number) => string | number, between: string): string {
	return Array.from({ length: count }, (_, at) => part(at)).join(between);
}

function utf16WithMark(text: string): Uint8Array {
	return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
}
