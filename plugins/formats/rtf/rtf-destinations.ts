/** The destinations of RTF groups, which say what the text of a group is: document text, metadata, or content to skip. */

export type Destination =
	| "text"
	| "skip"
	| "fonts"
	| "styles"
	| "title"
	| "subject"
	| "marker"
	| "code" /** of a field */
	| "page-header" /** or footer */
	| "note"
	| "comment"
	| "author" /** of a comment */
	| "box"
	| "math"
	| "nested-row" /** the properties of a row of a table in a cell */;

const destinationsByWord: Readonly<Record<string, Destination>> = {
	fonttbl: "fonts",
	stylesheet: "styles",
	info: "skip",
	title: "title",
	subject: "subject",
	listtext: "marker",
	pntext: "marker",
	fldinst: "code",
	fldrslt: "text",
	header: "page-header",
	headerl: "page-header",
	headerr: "page-header",
	headerf: "page-header",
	footer: "page-header",
	footerl: "page-header",
	footerr: "page-header",
	footerf: "page-header",
	footnote: "note",
	annotation: "comment",
	atnauthor: "author",
	shptxt: "box",
	result: "text",
	shpinst: "text",
	nesttableprops: "nested-row",
	moMathPara: "text",
	moMath: "math",
};
/** Skipped destinations that are not marked with `\*`. */
const skippedWords: ReadonlySet<string> = new Set(
	(
		"colortbl filetbl revtbl listtable listoverridetable pict nonshppict object objdata objclass objname sp sn sv shprslt xe tc tcn bkmkstart bkmkend " +
		"author operator keywords comment doccomm company manager category hlinkbase creatim revtim printim buptim nonesttables private pntxtb pntxta " +
		"ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn background template rsidtbl generator themedata datastore"
	).split(" "),
);
/** Destinations that are read even inside of skipped groups. */
const readInsideSkipped: ReadonlySet<string> = new Set(["title", "subject", "result"]);

/** The destination that a control word selects; null for no change. @param isOptional whether it follows `\*`; if unknown, it is then skipped */
export function destinationOf(word: string, isOptional: boolean, current: Destination): Destination | null {
	if (current === "skip") return readInsideSkipped.has(word) ? (destinationsByWord[word] ?? null) : null;
	if (skippedWords.has(word)) return "skip";
	return destinationsByWord[word] ?? (isOptional ? "skip" : null);
}
