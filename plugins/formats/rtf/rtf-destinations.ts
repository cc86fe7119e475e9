/** The destinations of RTF groups: text, metadata, or content to skip. */

export type Destination =
	| "text"
	| "skip"
	| "fonts"
	| "styles"
	| "title"
	| "subject"
	| "marker"
	| "code" /** of a field */
	| "head" /** a page header or footer */
	| "note"
	| "comment"
	| "author" /** of a comment */
	| "box"
	| "math"
	| "inner" /** form of a row in a cell */;

const known: Readonly<Record<string, Destination>> = {
	fonttbl: "fonts",
	stylesheet: "styles",
	info: "skip",
	title: "title",
	subject: "subject",
	listtext: "marker",
	pntext: "marker",
	fldinst: "code",
	fldrslt: "text",
	header: "head",
	headerl: "head",
	headerr: "head",
	headerf: "head",
	footer: "head",
	footerl: "head",
	footerr: "head",
	footerf: "head",
	footnote: "note",
	annotation: "comment",
	atnauthor: "author",
	shptxt: "box",
	result: "text",
	shpinst: "text",
	nesttableprops: "inner",
	moMathPara: "text",
	moMath: "math",
};
/** Skipped destinations that are not marked with `\*`. */
const silent: ReadonlySet<string> = new Set(
	(
		"colortbl filetbl revtbl listtable listoverridetable pict nonshppict object objdata objclass objname sp sn sv shprslt xe tc tcn bkmkstart bkmkend " +
		"author operator keywords comment doccomm company manager category hlinkbase creatim revtim printim buptim nonesttables private pntxtb pntxta " +
		"ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn background template rsidtbl generator themedata datastore"
	).split(" "),
);
/** Destinations that are read even inside of skipped groups. */
const insideSkipped: ReadonlySet<string> = new Set(["title", "subject", "result"]);

/** The destination a control word selects; null for no change. @param isOptional whether it follows `\*`: then an unknown one is skipped. */
export function destinationOf(word: string, isOptional: boolean, current: Destination): Destination | null {
	if (current === "skip") return insideSkipped.has(word) ? (known[word] ?? null) : null;
	if (silent.has(word)) return "skip";
	return known[word] ?? (isOptional ? "skip" : null);
}
