/** Office files made of the parts that matter to a test: the package around them is written here. */

import { zipOf } from "./zip-of.ts";

const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** `rId1` → type and target, as a package tells what belongs to a part. A target with a colon lies outside. */
export type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

export function relationsXml(relations: Relations): string {
	const entries = Object.entries(relations).map(([id, [type, target]]) => {
		const mode = target.includes(":") ? ' TargetMode="External"' : "";
		return `<Relationship Id="${id}" Type="${kind}/${type}" Target="${target}"${mode}/>`;
	});
	return `<?xml version="1.0"?><Relationships>${entries.join("")}</Relationships>`;
}

function packageOf(main: string, parts: Readonly<Record<string, string>>): Uint8Array {
	const rels = relationsXml({ r1: ["officeDocument", main], r2: ["core-properties", "docProps/core.xml"] });
	return zipOf({ "[Content_Types].xml": "<Types/>", "_rels/.rels": rels, ...parts });
}

export interface DocxParts {
	/** What stands in `w:body`. */
	readonly body: string;
	/** Further parts by their path below `word/`, each related under its name: `styles` for `styles.xml`. */
	readonly parts?: Readonly<Record<string, string>>;
	readonly relations?: Relations;
	readonly core?: string;
}

export function docxOf({ body, parts = {}, relations = {}, core }: DocxParts): Uint8Array {
	const named = Object.keys(parts).map((name): [string, readonly [string, string]] => [`part-${name}`, [name.replace(/\d*\.xml$/, ""), name]]);
	return packageOf("word/document.xml", {
		"word/_rels/document.xml.rels": relationsXml({ ...Object.fromEntries(named), ...relations }),
		"word/document.xml": `<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
		...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}`, xml])),
		...(core === undefined ? {} : { "docProps/core.xml": `<cp:coreProperties>${core}</cp:coreProperties>` }),
	});
}

/** A paragraph of Word: its text, and what stands in its properties. */
export function wordParagraph(text: string, properties = ""): string {
	return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}
