/** The characters that control words and control symbols of RTF stand for. */

export const charactersByWord: Readonly<Record<string, string>> = {
	tab: "\t",
	line: "\n",
	lbr: "\n",
	softline: "\n",
	emdash: "—",
	endash: "–",
	bullet: "•",
	lquote: "‘",
	rquote: "’",
	ldblquote: "“",
	rdblquote: "”",
	emspace: " ",
	enspace: " ",
	qmspace: " ",
	ltrmark: "",
	rtlmark: "",
	zwj: "\u200d",
	zwnj: "\u200c",
};

export const charactersBySymbol: Readonly<Record<string, string>> = { "~": " ", _: "-", "-": "" };
