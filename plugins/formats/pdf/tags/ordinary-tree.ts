/** Decides whether MuPDF can follow a structure tree. It does so recursively, and one that is too deep would end the process. */

import type { PDFObject } from "mupdf";

/**
 * The greatest depth of an element, and the greatest number of elements, marked texts and nodes that list them. A standard of 240 pages
 * has some ten thousand texts.
 */
const [depthMax, stepsMax] = [200, 400_000];
/** An element with more children is taken for damaged. */
const childrenMax = 50_000;

/**
 * Whether the elements of all marked texts are at an ordinary depth: MuPDF goes from the texts up to the root. Takes a second for some
 * hundred thousand texts; a tree with more is not followed.
 */
export function isOrdinaryTree(root: PDFObject): boolean {
	return isOrdinaryPart(root.get("ParentTree"), { left: stepsMax, depths: new Map() }, 0);
}

interface Progress {
	/** How many elements, texts and nodes may still be looked at. A file may name the same one any number of times. */
	left: number;
	/** The depths of the elements that were looked at, by their numbers. */
	readonly depths: Map<number, number>;
}

/** @param part of the tree of numbers that lists the element of each text */
function isOrdinaryPart(part: PDFObject, progress: Progress, depth: number): boolean {
	if (depth > depthMax || progress.left-- <= 0) return false;
	const [values, parts] = [part.get("Nums"), part.get("Kids")];
	for (let index = 1; values.isArray() && index < values.length; index += 2) {
		const value = values.get(index);
		if (!isOrdinaryElement(value, progress)) return false;
		for (let at = 0; value.isArray() && at < value.length; at++) if (!isOrdinaryElement(value.get(at), progress)) return false;
	}
	for (let index = 0; parts.isArray() && index < parts.length; index++) if (!isOrdinaryPart(parts.get(index), progress, depth + 1)) return false;
	return true;
}

/** Whether few parents are between the element and the root. What is no element does no harm. */
function isOrdinaryElement(value: PDFObject, progress: Progress): boolean {
	if (progress.left-- <= 0) return false;
	const { depths } = progress;
	const climbed: number[] = [];
	let element = value;
	for (; element.isDictionary() && !depths.has(numberOf(element)); element = element.get("P")) {
		climbed.push(numberOf(element));
		if (climbed.length > depthMax || progress.left-- <= 0) return false;
	}
	const depth = climbed.length + (depths.get(numberOf(element)) ?? 0);
	for (const [steps, number] of climbed.entries()) if (!Number.isNaN(number)) depths.set(number, depth - steps);
	return depth <= depthMax;
}

/** The number of an object. One that is written where it is used has none, and is never known. */
function numberOf(value: PDFObject): number {
	return value.isIndirect() ? value.asIndirect() : Number.NaN;
}

/** The children of an element with their indexes. */
export function* childrenOf(element: PDFObject): Generator<readonly [number, PDFObject]> {
	const children = element.get("K");
	if (!children.isArray()) yield [0, children];
	else if (children.length > childrenMax) throw new Error("an element has too many children");
	else for (let index = 0; index < children.length; index++) yield [index, children.get(index)];
}

export function nameOf(value: PDFObject): string {
	return value.isName() ? value.asName() : "";
}
