/** Control words of RTF that stand for one character. */

export const signs: Readonly<Record<string, string>> = {
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

export const symbols: Readonly<Record<string, string>> = { "~": " ", _: "-", "-": "" };
