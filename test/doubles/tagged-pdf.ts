/** Makes PDFs with a structure tree, sound ones and broken ones. */

import * as mupdf from "mupdf";

/** Text at a place on the page, in points from its top left corner. */
export interface PlacedText {
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly isBold?: boolean;
}

export interface TaggedElement {
	readonly role: string;
	readonly attributes?: Readonly<Record<string, number>>;
	readonly children: readonly (TaggedElement | PlacedText)[];
}

export interface TaggedPdfOptions {
	/** Drawn after all that is tagged, without tags. */
	readonly untagged?: readonly PlacedText[];
	/** Changes the tree before the file is written. */
	readonly damage?: (pdf: mupdf.PDFDocument, root: mupdf.PDFObject) => void;
}

export const element = (role: string, ...children: TaggedElement["children"]): TaggedElement => ({ role, children });
export const at = (x: number, y: number, text: string, isBold = false): PlacedText => ({ x, y, text, isBold });

/** A document of one page. */
export function taggedPdf(elements: readonly TaggedElement[], { untagged = [], damage }: TaggedPdfOptions = {}): Uint8Array {
	const pdf = new mupdf.PDFDocument();
	const fonts = { F1: pdf.addSimpleFont(new mupdf.Font("Helvetica")), F2: pdf.addSimpleFont(new mupdf.Font("Helvetica-Bold")) };
	const page = pdf.addPage([0, 0, 595, 842], 0, pdf.addObject({ Font: fonts }), "");
	const drawn: string[] = [];
	const parents = pdf.newArray();
	const root = pdf.addObject({ Type: pdf.newName("StructTreeRoot") });
	const addElement = ({ role, attributes, children }: TaggedElement, parent: mupdf.PDFObject): mupdf.PDFObject => {
		const added = pdf.addObject({ Type: pdf.newName("StructElem"), S: pdf.newName(role), P: parent, Pg: page });
		if (attributes !== undefined) added.put("A", { O: pdf.newName("Table"), ...attributes });
		const kids = pdf.newArray();
		for (const child of children) {
			if ("role" in child) kids.push(addElement(child, added));
			else {
				kids.push(drawn.length);
				parents.push(added);
				drawn.push(`/Span <</MCID ${drawn.length}>> BDC ${operatorsOf(child)} EMC`);
			}
		}
		added.put("K", kids);
		return added;
	};
	const document = addElement({ role: "Document", children: elements }, root);
	root.put("K", document);
	root.put("ParentTree", pdf.addObject({ Nums: [0, parents] }));
	page.put("StructParents", 0);
	const content = [...drawn, ...untagged.map(operatorsOf)];
	page.put("Contents", pdf.addStream(content.join("\n"), {}));
	pdf.insertPage(-1, page);
	const catalog = pdf.getTrailer().get("Root");
	catalog.put("MarkInfo", { Marked: true });
	catalog.put("StructTreeRoot", root);
	damage?.(pdf, root);
	return pdf.saveToBuffer("").asUint8Array().slice();
}

function operatorsOf({ x, y, text, isBold = false }: PlacedText): string {
	return `BT /${isBold ? "F2" : "F1"} 10 Tf ${x} ${842 - y} Td (${text}) Tj ET`;
}
