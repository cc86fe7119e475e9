/** The paragraphs of a shape on a slide → lines of text with list level and marker. */

import { formatListNumber } from "../../blocks/format-list-number.ts";
import { formulaPiece, type InlineText, isExternalUrl, joinPieces, type Piece } from "../../blocks/inline-text.ts";
import type { Script } from "../../blocks/scripted-text.ts";
import { readOmml } from "../../math/omml.ts";
import { attributeOf, elementByPath, elementsOf, numberOf, prefixedAttribute, textOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import type { Relation } from "../package.ts";

export interface Line extends InlineText {
	/** 0 is outermost. */
	readonly level: number;
	/** The list marker, such as `3.`; empty for a bullet, null outside of lists. */
	readonly marker: string | null;
}

const levelMax = 8;

/** @param styles the inherited text styles, the most specific first. */
export function linesOf(body: XmlElement | null, relations: ReadonlyMap<string, Relation>, styles: readonly XmlElement[]): readonly Line[] {
	const ownStyles = elementByPath(body, "lstStyle");
	const allStyles = ownStyles === null ? styles : [ownStyles, ...styles];
	const counts: number[] = [];
	return elementsOf(body, "p").flatMap((paragraph) => {
		const inline = joinPieces(piecesOf(paragraph, relations));
		if (inline.text === "") return [];
		const properties = elementByPath(paragraph, "pPr");
		const level = Math.max(0, Math.min(numberOf(properties, "lvl", 0), levelMax));
		const bullet = [properties, ...allStyles.map((style) => elementByPath(style, `lvl${level + 1}pPr`))].map(bulletOf).find((found) => found !== null) ?? null;
		if (bullet?.name !== "buAutoNum") counts.length = Math.min(counts.length, level);
		const isListed = bullet !== null && bullet.name !== "buNone";
		return [{ ...inline, level, marker: isListed ? markerOf(bullet, level, counts) : null }];
	});
}

function bulletOf(properties: XmlElement | null): XmlElement | null {
	return elementsOf(properties, "buNone", "buChar", "buAutoNum", "buBlip")[0] ?? null;
}

function markerOf(bullet: XmlElement, level: number, counts: number[]): string {
	if (bullet.name !== "buAutoNum") return "";
	counts.length = Math.min(counts.length, level + 1);
	counts[level] = (counts[level] ?? numberOf(bullet, "startAt", 1) - 1) + 1;
	const [, formatName = "", punctuation = ""] =
		/^(alphaLc|alphaUc|romanLc|romanUc|arabic)(ParenBoth|ParenR|Period|Plain)$/.exec(attributeOf(bullet, "type") ?? "") ?? [];
	const number = formatListNumber(wordFormats[formatName] ?? "decimal", counts[level] ?? 1);
	if (punctuation === "ParenBoth") return `(${number})`;
	return punctuation === "ParenR" ? `${number})` : `${number}.`;
}

/** PowerPoint's numbering formats → Word's names for them. */
const wordFormats: Readonly<Record<string, string>> = { alphaLc: "lowerLetter", alphaUc: "upperLetter", romanLc: "lowerRoman", romanUc: "upperRoman" };

function piecesOf(paragraph: XmlElement, relations: ReadonlyMap<string, Relation>): readonly Piece[] {
	return elementsOf(paragraph).flatMap((child): readonly Piece[] => {
		if (child.name === "br") return [{ text: "\n" }];
		if (child.name === "r" || child.name === "fld") {
			const format = elementByPath(child, "rPr");
			const link = elementByPath(format, "hlinkClick");
			const target = link === null ? undefined : relations.get(prefixedAttribute(link, "id") ?? "");
			return [
				{
					text: textOf(elementByPath(child, "t")).replaceAll("\v", "\n"),
					isBold: attributeOf(format, "b") === "1",
					isItalic: attributeOf(format, "i") === "1",
					script: scriptOf(format),
					url: target?.isExternal === true && isExternalUrl(target.target) ? target.target : null,
				},
			];
		}
		return child.name === "AlternateContent" || child.name === "m"
			? [...topmostDescendants(child, "oMath", "oMathPara")].flatMap(readOmml).map(formulaPiece)
			: [];
	});
}

/** Superscript or subscript, by the sign of the baseline shift. */
function scriptOf(format: XmlElement | null): Script | null {
	const shift = Number.parseInt(attributeOf(format, "baseline") ?? "0", 10);
	if (shift > 0) return "above";
	return shift < 0 ? "below" : null;
}
