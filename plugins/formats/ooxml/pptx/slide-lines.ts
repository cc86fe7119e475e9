/** The paragraphs of a shape on a slide → lines of text with list level and marker. */

import { countedAs } from "../../blocks/counted-as.ts";
import { formulaPiece, type InlineText, isWebAddress, joinPieces, type Piece } from "../../blocks/inline-text.ts";
import type { Script } from "../../blocks/scripted-text.ts";
import { readOmml } from "../../math/omml.ts";
import { attributeOf, elementAt, elementsOf, numberOf, outermost, prefixedAttribute, textOf, type XmlElement } from "../../xml/xml-element.ts";
import type { Relation } from "../package.ts";

export interface Line extends InlineText {
	/** 0 is outermost. */
	readonly level: number;
	/** Null outside of lists; empty for a bullet. */
	readonly marker: string | null;
}

const levelMax = 8;

/** @param styles the inherited text styles, the most specific first. */
export function linesOf(body: XmlElement | null, relations: ReadonlyMap<string, Relation>, styles: readonly XmlElement[]): readonly Line[] {
	const own = elementAt(body, "lstStyle");
	const chain = own === null ? styles : [own, ...styles];
	const counts: number[] = [];
	return elementsOf(body, "p").flatMap((paragraph) => {
		const inline = joinPieces(piecesOf(paragraph, relations));
		if (inline.text === "") return [];
		const properties = elementAt(paragraph, "pPr");
		const level = Math.max(0, Math.min(numberOf(properties, "lvl", 0), levelMax));
		const bullet = [properties, ...chain.map((style) => elementAt(style, `lvl${level + 1}pPr`))].map(bulletOf).find((found) => found !== null) ?? null;
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
	const [, kind = "", way = ""] = /^(alphaLc|alphaUc|romanLc|romanUc|arabic)(ParenBoth|ParenR|Period|Plain)$/.exec(attributeOf(bullet, "type") ?? "") ?? [];
	const number = countedAs(formats[kind] ?? "decimal", counts[level] ?? 1);
	if (way === "ParenBoth") return `(${number})`;
	return way === "ParenR" ? `${number})` : `${number}.`;
}

/** PowerPoint's numbering formats → Word's names for them. */
const formats: Readonly<Record<string, string>> = { alphaLc: "lowerLetter", alphaUc: "upperLetter", romanLc: "lowerRoman", romanUc: "upperRoman" };

function piecesOf(paragraph: XmlElement, relations: ReadonlyMap<string, Relation>): readonly Piece[] {
	return elementsOf(paragraph).flatMap((child): readonly Piece[] => {
		if (child.name === "br") return [{ text: "\n" }];
		if (child.name === "r" || child.name === "fld") {
			const format = elementAt(child, "rPr");
			const link = elementAt(format, "hlinkClick");
			const target = link === null ? undefined : relations.get(prefixedAttribute(link, "id") ?? "");
			return [
				{
					text: textOf(elementAt(child, "t")).replaceAll("\v", "\n"),
					isBold: attributeOf(format, "b") === "1",
					isItalic: attributeOf(format, "i") === "1",
					script: scriptOf(format),
					address: target?.isExternal === true && isWebAddress(target.target) ? target.target : null,
				},
			];
		}
		return child.name === "AlternateContent" || child.name === "m" ? [...outermost(child, "oMath", "oMathPara")].flatMap(readOmml).map(formulaPiece) : [];
	});
}

/** The baseline shift is in thousandths of a per cent of the font size. */
function scriptOf(format: XmlElement | null): Script | null {
	const raised = Number.parseInt(attributeOf(format, "baseline") ?? "0", 10);
	if (raised > 0) return "above";
	return raised < 0 ? "below" : null;
}
